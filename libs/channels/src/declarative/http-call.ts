export type Fields = Readonly<Record<string, string | undefined>>;

export interface FormPart {
  name: string;
  value: string | Buffer;
  /** Makes the part a file. */
  filename?: string;
  contentType?: string;
}

/** One request to a provider, with at most one kind of body. */
export interface HttpCall {
  method?: string;
  /** Below the provider's base URL. */
  path?: string;
  /** A user's URL instead of `path`; private addresses are rejected. */
  url?: string;
  query?: Fields;
  headers?: Fields;
  json?: unknown;
  form?: Fields;
  multipart?: readonly FormPart[];
  /** A body as text; set its content type in `headers`. */
  text?: string;
  /** A body as bytes; set its content type in `headers`. */
  bytes?: Uint8Array;
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

export async function encodeBody({ json, form, multipart, text, bytes }: HttpCall): Promise<EncodedBody> {
  if (multipart) return encodeMultipart(multipart);
  if (form) {
    const params = new URLSearchParams(present(form));
    return { body: params.toString(), contentType: 'application/x-www-form-urlencoded' };
  }
  if (json !== undefined) return { body: JSON.stringify(json), contentType: 'application/json' };
  const body = text ?? bytes;
  return body === undefined ? {} : { body };
}

export function callUrl(base: string, { path = '', url, query }: HttpCall): string {
  const address = url ?? `${base.replace(/(?<!\/)\/+$/, '')}${path}`;
  const params = new URLSearchParams(present(query ?? {})).toString();
  if (params === '') return address;
  return `${address}${address.includes('?') ? '&' : '?'}${params}`;
}
