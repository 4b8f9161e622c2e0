import { createDecipheriv } from 'node:crypto';
import { FOREIGN_SECRET } from '#libs/secrets';

const SEALED = /^nvsk\.([0-9a-f]{32}):((?:[0-9a-f]{32})+)$/i;

/** Why a value cannot be taken over. */
export class Unreadable extends Error {}

/** Values that Novu has encrypted: AES-256-CBC with the bytes of its key. */
export class ForeignSecrets {
  constructor(private readonly key: string | undefined) {}

  /** @returns the value itself if it is not encrypted @throws {Unreadable} */
  open(value: string): string {
    if (!value.startsWith(FOREIGN_SECRET)) return value;
    const [, iv, body] = SEALED.exec(value) ?? [];
    if (iv === undefined || body === undefined) throw new Unreadable('it is encrypted in a form that is not known');
    if (this.key === undefined) throw new Unreadable("it is encrypted; give Novu's key with --encryption-key-file");
    try {
      const decipher = createDecipheriv('aes-256-cbc', Buffer.from(this.key), Buffer.from(iv, 'hex'));
      const bytes = Buffer.concat([decipher.update(Buffer.from(body, 'hex')), decipher.final()]);
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      throw new Unreadable('it cannot be decrypted with the given key');
    }
  }
}
