import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import mongoose, { type Connection } from 'mongoose';
import type { Store } from '#libs/persistence';
import { workerStore } from '../harness/index.js';
import { unique } from '../factories/ids.js';

/** A database of its own within the store of the run, for tests that change or lose the encryption key. */
export class SealedStore {
  private constructor(
    readonly store: Store,
    readonly connection: Connection,
  ) {}

  static async open(name: string): Promise<SealedStore> {
    const base = workerStore();
    const uri = new URL(base.uri);
    uri.pathname = `${uri.pathname}_${unique(name)}`;
    const connection = await mongoose.createConnection(uri.href).asPromise();
    return new SealedStore({ ...base, uri: uri.href }, connection);
  }

  /** Every text of the store that looks sealed, with where it stands. */
  async sealedTexts(): Promise<{ collection: string; path: string; text: string }[]> {
    const found: { collection: string; path: string; text: string }[] = [];
    const visit = (collection: string, path: string, value: unknown): void => {
      if (typeof value === 'string' && /^v[12]\.[0-9a-f]{8}\./.test(value)) {
        found.push({ collection, path, text: value });
      } else if (typeof value === 'object' && value !== null && !('_bsontype' in value) && !(value instanceof Date)) {
        for (const [key, child] of Object.entries(value))
          visit(collection, path === '' ? key : `${path}.${key}`, child);
      }
    };
    for (const { name } of (await this.connection.db?.listCollections().toArray()) ?? []) {
      for await (const row of this.connection.collection(name).find()) visit(name, '', row);
    }
    return found;
  }

  async close(): Promise<void> {
    await this.connection.dropDatabase();
    await this.connection.close();
  }
}

function storeKeyOf(secret: string): Buffer {
  return createHash('sha256').update(`herald-store-key:${secret}`).digest();
}

/** The id of an encryption key, as sealed texts name it. */
export function keyIdOf(secret: string): string {
  return createHash('sha256').update(storeKeyOf(secret)).digest('hex').slice(0, 8);
}

/** Seals as earlier versions did: nothing in the text says where it belongs. */
export function sealUnbound(plain: string, secret: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', storeKeyOf(secret), iv, { authTagLength: 16 });
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  const parts = [iv, cipher.getAuthTag(), body].map((part) => part.toString('base64url'));
  return ['v1', keyIdOf(secret), ...parts].join('.');
}
