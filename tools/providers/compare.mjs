import { createHash } from 'node:crypto';

/**
 * A request as what it means: the order of fields, the boundary of a form and how a text is escaped do not count.
 * @param names the headers that matter
 */
export async function meaningOf({ method, host, path, query, headers, bytes }, names) {
  const kept = names.filter((name) => headers[name] !== undefined).map((name) => [name, headerOf(name, headers[name])]);
  return flat({ method, host, path, query, headers: Object.fromEntries(kept), body: await bodyOf(headers, bytes) });
}

/** What of a signature or a token does not depend on the moment. */
function headerOf(name, value) {
  if (name === 'content-type') return value.split(';')[0].trim();
  if (name === 'authorization' && value.startsWith('AWS4-')) return /Credential=[^/]+\/\d+\/([^,]+)/.exec(value)?.[1];
  return name === 'authorization'
    ? value.replace(/\b(ey[\w-]+)\.(ey[\w-]+)\.[\w-]+/, (_all, ...parts) => claimsOf(parts))
    : value;
}

/** Of a signed token, who signed what with which key: the times and the signature are others each time. */
function claimsOf(parts) {
  const [head, claims] = parts.slice(0, 2).map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
  const { alg, kid } = head;
  const { iss, sub, aud } = claims;
  return JSON.stringify({ alg, kid, iss, sub, aud });
}

export async function bodyOf(headers, bytes) {
  const type = headers['content-type'] ?? '';
  if (bytes.length === 0) return undefined;
  // To Apple, JSON needs no type.
  if (type.includes('json') || type === '') return JSON.parse(bytes.toString());
  if (type.startsWith('application/x-www-form-urlencoded')) return byName([...new URLSearchParams(bytes.toString())]);
  if (!type.startsWith('multipart/')) return { bytes: bytes.length };
  const form = await new globalThis.Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  const parts = [...form].map(async ([name, value]) => [
    name,
    typeof value === 'string'
      ? value.replaceAll('\r\n', '\n')
      : { filename: value.name, type: value.type, sha: digest(Buffer.from(await value.arrayBuffer())) },
  ]);
  return byName(await Promise.all(parts));
}

function byName(entries) {
  const all = {};
  for (const [name, value] of entries) all[name] = name in all ? [all[name], value].flat() : value;
  return all;
}

const digest = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

/** Values by their paths. A long text is told by its beginning and its digest. */
function flat(value, path = '', all = new Map()) {
  if (value === undefined || value === null) return all;
  if (typeof value === 'object') {
    for (const [key, child] of Object.entries(value)) flat(child, path === '' ? key : `${path}.${key}`, all);
    if (Object.keys(value).length === 0) all.set(path, Array.isArray(value) ? '[]' : '{}');
    return all;
  }
  const text = String(value);
  const short = text.length > 200 ? `${text.slice(0, 40)}… (${text.length}, ${digest(Buffer.from(text))})` : text;
  return all.set(path, typeof value === 'string' ? JSON.stringify(short) : short);
}

/** @returns a line for each path at which two requests are not the same */
export function differences(herald, library) {
  return [...new Set([...herald.keys(), ...library.keys()])]
    .filter((path) => herald.get(path) !== library.get(path))
    .map((path) => ({ path, herald: herald.get(path) ?? '-', library: library.get(path) ?? '-' }));
}

/** Whether an explanation is about a path: `body.to.*.name` is about `body.to.0.name`, and about what is inside. */
export function isAbout(place, path) {
  const plain = path.replace(/(?<=\.)\d+(?=\.|$)/g, '*');
  return [path, plain].some((one) => one === place || one.startsWith(`${place}.`));
}
