/** `undefined` values are omitted. */
export type Fields = Readonly<Record<string, string | undefined>>;

export interface FormPart {
  name: string;
  value: string | Buffer;
  /** Makes the part a file. */
  filename?: string;
  contentType?: string;
}

/** One request to a provider. Exactly one kind of body, or none. */
export interface HttpCall {
  method?: string;
  /** Path below the provider's base URL. */
  path?: string;
  /** A URL that a user entered, instead of `path`: private addresses are refused. */
  url?: string;
  query?: Fields;
  headers?: Fields;
  json?: unknown;
  form?: Fields;
  multipart?: readonly FormPart[];
  /** A body that is already text; set its content type in `headers`. */
  text?: string;
}

export interface EncodedBody {
  body?: string | Uint8Array;
  contentType?: string;
}

export function bearer(token: string): string {
  return `Bearer ${token}`;
}

export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Omits `undefined` values. */
export function present(fields: Fields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

async function encodeMultipart(parts: readonly FormPart[]): Promise<EncodedBody> {
  const form = new FormData();
  for (const { name, value, filename, contentType } of parts) {
    if (typeof value === 'string') form.append(name, value);
    else
      form.append(name, new Blob([value], contentType === undefined ? {} : { type: contentType }), filename ?? 'file');
  }
  const encoded = new Response(form);
  const contentType = encoded.headers.get('content-type') ?? 'multipart/form-data';
  return { body: new Uint8Array(await encoded.arrayBuffer()), contentType };
}

export async function encodeBody({ json, form, multipart, text }: HttpCall): Promise<EncodedBody> {
  if (multipart) return encodeMultipart(multipart);
  if (form) {
    const params = new URLSearchParams(present(form));
    return { body: params.toString(), contentType: 'application/x-www-form-urlencoded' };
  }
  if (json !== undefined) return { body: JSON.stringify(json), contentType: 'application/json' };
  return text === undefined ? {} : { body: text };
}

/** The address of a call: a user's URL as it is, or a path below the base, with the query added. */
export function callUrl(base: string, { path = '', url, query }: HttpCall): string {
  const address = url ?? `${base.replace(/(?<!\/)\/+$/, '')}${path}`;
  const params = new URLSearchParams(present(query ?? {})).toString();
  if (params === '') return address;
  return `${address}${address.includes('?') ? '&' : '?'}${params}`;
}
