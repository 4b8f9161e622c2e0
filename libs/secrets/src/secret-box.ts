import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

interface NamedKey {
  readonly id: string;
  readonly key: Buffer;
}

const CIPHER = 'aes-256-gcm';
/** Bytes; told to the decipher too, which would otherwise believe a shortened tag. */
const authTagLength = 16;

/**
 * Encrypts small secrets for the store (AES-256-GCM). The text form is `v1.<key id>.<iv>.<tag>.<ciphertext>`; the key id
 * says which secret it was written with, so that keys can be rotated: the first one writes, all of them read.
 */
export class SecretBox {
  private readonly current: NamedKey;
  private readonly all: ReadonlyMap<string, Buffer>;

  /** @param secrets the current secret first, then former ones; each of any length, hashed to 256 bits */
  constructor(secrets: readonly [string, ...string[]]) {
    const keys = secrets.map((secret) => {
      const key = createHash('sha256').update(`herald-store-key:${secret}`).digest();
      return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key };
    });
    this.current = keys[0] as NamedKey;
    this.all = new Map(keys.map(({ id, key }) => [id, key]));
  }

  /** Encrypts a text. The same text gives another result each time. */
  seal(plain: string): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv(CIPHER, this.current.key, iv, { authTagLength });
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return ['v1', this.current.id, ...[iv, cipher.getAuthTag(), body].map((part) => part.toString('base64url'))].join(
      '.',
    );
  }

  /**
   * Decrypts what {@link seal} wrote.
   * @throws {SecretUnreadableError} when the key is unknown or the text was changed
   */
  open(sealed: string): string {
    const [version, keyId, iv, tag, body] = sealed.split('.');
    const key = keyId === undefined ? undefined : this.all.get(keyId);
    if (version !== 'v1' || !key || iv === undefined || tag === undefined || body === undefined) {
      throw new SecretUnreadableError(keyId ?? 'none');
    }
    try {
      const decipher = createDecipheriv(CIPHER, key, Buffer.from(iv, 'base64url'), { authTagLength });
      decipher.setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new SecretUnreadableError(keyId ?? 'none', { cause });
    }
  }
}

/** A stored secret cannot be read with the keys at hand. */
export class SecretUnreadableError extends Error {
  constructor(keyId: string, options?: ErrorOptions) {
    super(
      `A stored secret was written with the encryption key '${keyId}', which is not at hand. ` +
        'Set STORE_ENCRYPTION_KEY to the key that was in use, or list it in STORE_ENCRYPTION_OLD_KEYS.',
      options,
    );
    this.name = 'SecretUnreadableError';
  }
}
