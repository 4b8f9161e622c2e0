import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** With N = 2^15, a recommendation of OWASP. */
const BLOCKS = { r: 8, p: 3 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;

type Cost = Readonly<Record<'ln' | 'r' | 'p', number>>;

const FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]{1,90})\$([\w+/]{1,90})$/;

/** In a thread of Node's pool, in the PHC string format, so that a later cost can be told from this one. */
export async function hashPassword(password: string, ln: number): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const cost = { ln, ...BLOCKS };
  const key = await derive(password, salt, cost);
  return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${unpadded(salt)}$${unpadded(key)}`;
}

/** Takes as long without a hash, so that the time does not tell whether somebody exists. */
export async function isPassword(password: string, hash: string | undefined, usual: number): Promise<boolean> {
  const [, ln, r, p, salt = '', key = ''] = FORM.exec(hash ?? '') ?? [];
  const cost = ln === undefined ? { ln: usual, ...BLOCKS } : { ln: Number(ln), r: Number(r), p: Number(p) };
  const found = await derive(password, Buffer.from(salt, 'base64'), cost);
  const expected = Buffer.from(key, 'base64');
  return expected.length === found.length && timingSafeEqual(expected, found);
}

/** Made at another cost than the usual one. */
export function isOutdated(hash: string, usual: number): boolean {
  return FORM.exec(hash)?.[1] !== String(usual);
}

function derive(password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** ln;
  return new Promise((resolve, reject) => {
    // Equal looking passwords of different keyboards are equal.
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
