import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { defineError } from '#libs/http-kit';
import type { SealedPlace } from './sealed-field.js';

interface NamedKey {
  readonly id: string;
  readonly key: Buffer;
}

const CIPHER = 'aes-256-gcm';
/** Bytes. Also passed to the decipher, which would otherwise accept a shortened tag. */
const authTagLength = 16;
const BOUND = 'v2';
/** Written by earlier versions; can be opened at any place. */
const UNBOUND = 'v1';

/** Readable without a key. */
export interface SealInfo {
  readonly keyId: string;
  readonly bound: boolean;
}

/**
 * AES-256-GCM, as `v2.<key id>.<iv>.<tag>.<ciphertext>`. The first key writes and all keys read, so that keys can be
 * rotated. The place of the text is authenticated.
 */
export class SecretBox {
  private readonly current: NamedKey;
  private readonly all: ReadonlyMap<string, Buffer>;
  private readonly macKeys = new Map<string, Buffer>();
  private opensUnbound = true;

  /** @param secrets current one first; each of any length, hashed to 256 bits */
  constructor(secrets: readonly [string, ...string[]]) {
    const keys = secrets.map((secret) => {
      const key = createHash('sha256').update(`herald-store-key:${secret}`).digest();
      return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key };
    });
    this.current = keys[0] as NamedKey;
    this.all = new Map(keys.map(({ id, key }) => [id, key]));
  }

  get currentKeyId(): string {
    return this.current.id;
  }

  refuseUnbound(): void {
    this.opensUnbound = false;
  }

  /** The current key first. */
  get keyIds(): string[] {
    return [...this.all.keys()];
  }

  /** The result differs each time. @param keyId default: the current key */
  seal(plain: string, place: SealedPlace, keyId = this.current.id): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv(CIPHER, this.all.get(keyId) ?? this.current.key, iv, { authTagLength });
    cipher.setAAD(bindingOf(place));
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return [BOUND, keyId, ...[iv, cipher.getAuthTag(), body].map((part) => part.toString('base64url'))].join('.');
  }

  /** @throws {SecretUnreadableError} when the key is unknown, or the text was changed or moved */
  open(sealed: string, place: SealedPlace): string {
    const [version, keyId, iv, tag, body] = sealed.split('.');
    const key = keyId === undefined ? undefined : this.all.get(keyId);
    const known = version === BOUND || (version === UNBOUND && this.opensUnbound);
    if (!known || iv === undefined || tag === undefined || body === undefined) throw new SecretUnreadableError(place);
    if (key === undefined) throw new SecretUnreadableError(place, keyId);
    try {
      const decipher = createDecipheriv(CIPHER, key, Buffer.from(iv, 'base64url'), { authTagLength });
      if (version === BOUND) decipher.setAAD(bindingOf(place));
      decipher.setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new SecretUnreadableError(place, undefined, { cause });
    }
  }

  /**
   * HMAC-SHA256, always the same for the same data. Each purpose has a key of its own.
   * @returns undefined if the key is unknown
   */
  mac(purpose: string, data: Uint8Array, keyId = this.current.id): Buffer | undefined {
    const key = this.all.get(keyId);
    if (key === undefined) return undefined;
    const name = `${keyId}:${purpose}`;
    const own = this.macKeys.get(name) ?? createHmac('sha256', key).update(`herald-mac:${purpose}`).digest();
    this.macKeys.set(name, own);
    return createHmac('sha256', own).update(data).digest();
  }

  tryOpen(sealed: string, place: SealedPlace): string | undefined {
    try {
      return this.open(sealed, place);
    } catch (error) {
      if (error instanceof SecretUnreadableError) return undefined;
      throw error;
    }
  }

  /** Undefined for a text that is not sealed. */
  static infoOf(sealed: string): SealInfo | undefined {
    const [version, keyId, ...rest] = sealed.split('.');
    if ((version !== BOUND && version !== UNBOUND) || keyId === undefined || rest.length !== 3) return undefined;
    return { keyId, bound: version === BOUND };
  }
}

function bindingOf({ collection, id, environmentId, field }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([collection, id, environmentId, field]));
}

/**
 * The second argument is the unknown key; it is absent if the key is known but the text was not sealed for this place.
 */
export const SecretUnreadableError = defineError(
  409,
  'secret_unreadable',
  ({ collection, id, field }: SealedPlace, keyId?: string, _options?: ErrorOptions) =>
    `The secret that is stored in ${collection} ${id} (${field}) cannot be read: ${reasonOf(keyId)} ` +
    'Store the secret again, or delete the record.',
  [{ collection: 'integrations', id: '64f0c1a2b3c4d5e6f7a8b9c0', environmentId: '', field: 'credentials' }, '2024'],
  (_place, _keyId?, options?) => ({ ...options, logLevel: 'warn' }),
);

function reasonOf(keyId: string | undefined): string {
  return keyId === undefined
    ? 'it was changed or copied from another place.'
    : `it was sealed with the encryption key '${keyId}', which Herald does not have; ` +
        'the operator can list that key in STORE_ENCRYPTION_OLD_KEYS.';
}
