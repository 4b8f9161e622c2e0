import type { Connection, mongo } from 'mongoose';
import { onDuplicateKey, untilWritten } from '#libs/persistence';
import { SealedField } from './sealed-field.js';
import { SecretBox } from './secret-box.js';

const COLLECTION = 'storeKeys';
const RECORD = 'check';
const CHECK = new SealedField(COLLECTION, 'sealed');
/** Newest texts per field, in a store of an earlier version. */
const SAMPLE_SIZE = 100;

/**
 * One sealed text per key. A process that cannot open all of them could not read some secrets, or would write secrets
 * that others cannot read.
 */
interface StoreKeyRecord {
  _id: string;
  sealed: Record<string, string>;
  /** For optimistic locking. */
  revision: number;
}

type RecordCollection = mongo.Collection<StoreKeyRecord>;

interface StoreKeyCheck {
  /** All texts of the store are bound to their places. */
  readonly boundOnly: boolean;
}

export class StoreKeyError extends Error {
  constructor(reason: string, remedy = USE_THE_RIGHT_KEY) {
    super(`The encryption key does not fit this store: ${reason} ${remedy}`);
    this.name = 'StoreKeyError';
  }
}

const USE_THE_RIGHT_KEY =
  'Set STORE_ENCRYPTION_KEY to the key that the store was used with (where it was generated, it is in the file ' +
  'encryption-key in the DATA_DIR of the machine that was started first), or list it in STORE_ENCRYPTION_OLD_KEYS. ' +
  'If it is lost, see docs/operations.md.';

/** The first process writes the record to an empty store; the unique id lets exactly one of several succeed. */
export class StoreKey {
  constructor(
    private readonly connection: Connection,
    private readonly box: SecretBox,
    private readonly fields: readonly SealedField[],
  ) {}

  /** @throws {StoreKeyError} if the configured keys do not open the store */
  async join(): Promise<void> {
    await untilWritten(async () => (await this.tryToJoin()) || undefined);
  }

  async isKnown(): Promise<boolean> {
    return (await this.read())?.sealed[this.box.currentKeyId] !== undefined;
  }

  /**
   * Call when every secret is bound and sealed with the current key, the only one from now on.
   * @throws {StoreKeyError} when another process has recorded a key that is not configured
   */
  async keepOnlyCurrent(): Promise<void> {
    const sealed = { [this.box.currentKeyId]: this.sealCheck({ boundOnly: true }) };
    await untilWritten(async () => {
      const record = await this.read();
      if (record !== null) this.openAll(record);
      return (record === null ? await this.create() : await this.replace(record, sealed)) || undefined;
    });
  }

  /** Secrets sealed with other keys are lost. */
  async replaceLost(): Promise<void> {
    const sealed = { [this.box.currentKeyId]: this.sealCheck({ boundOnly: false }) };
    await this.collection.updateOne({ _id: RECORD }, { $set: { sealed }, $inc: { revision: 1 } }, { upsert: true });
  }

  private async tryToJoin(): Promise<boolean> {
    const record = await this.read();
    if (record === null) return this.create();
    const check = this.openAll(record);
    if (check.boundOnly) this.box.refuseUnbound();
    if (record.sealed[this.box.currentKeyId] !== undefined) return true;
    return this.replace(record, { ...record.sealed, [this.box.currentKeyId]: this.sealCheck(check) });
  }

  private get collection(): RecordCollection {
    return this.connection.collection<StoreKeyRecord>(COLLECTION);
  }

  private read(): Promise<StoreKeyRecord | null> {
    return this.collection.findOne({ _id: RECORD });
  }

  /** @returns false if another process was faster */
  private async create(): Promise<boolean> {
    const found = await this.sample();
    if (found.readable === 0 && found.unreadable > 0) {
      throw new StoreKeyError('it opens none of the secrets that are stored.');
    }
    const check = { boundOnly: !found.anyUnbound };
    const sealed: Record<string, string> = { [this.box.currentKeyId]: this.sealCheck(check) };
    for (const keyId of await this.formerKeyIds()) sealed[keyId] = this.sealCheck(check, keyId);
    const isFirst = await this.collection.insertOne({ _id: RECORD, sealed, revision: 1 }).then(
      () => true,
      onDuplicateKey(() => false),
    );
    if (isFirst && !found.anyUnbound) this.box.refuseUnbound();
    return isFirst;
  }

  private async replace({ revision }: StoreKeyRecord, sealed: Record<string, string>): Promise<boolean> {
    const { matchedCount } = await this.collection.updateOne(
      { _id: RECORD, revision },
      { $set: { sealed, revision: revision + 1 } },
    );
    return matchedCount === 1;
  }

  private openAll({ sealed }: StoreKeyRecord): StoreKeyCheck {
    const checks = Object.entries(sealed).map(([keyId, text]) => {
      const plain = this.box.tryOpen(text, CHECK.of(RECORD, ''));
      if (plain === undefined) {
        throw new StoreKeyError(`secrets are sealed with the key '${keyId}', which is not at hand.`);
      }
      return JSON.parse(plain) as StoreKeyCheck;
    });
    return { boundOnly: checks.every(({ boundOnly }) => boundOnly) };
  }

  private sealCheck(check: StoreKeyCheck, keyId = this.box.currentKeyId): string {
    return this.box.seal(JSON.stringify(check), CHECK.of(RECORD, ''), keyId);
  }

  /** Those that still seal texts of the store. */
  private async formerKeyIds(): Promise<string[]> {
    const used: string[] = [];
    for (const keyId of this.box.keyIds.filter((id) => id !== this.box.currentKeyId)) {
      const counts = await Promise.all(this.fields.map((field) => this.countOf(field, `^v[12]\\.${keyId}\\.`)));
      if (counts.some((count) => count > 0)) used.push(keyId);
    }
    return used;
  }

  /** For a store without a check record: empty, or of an earlier version. */
  private async sample(): Promise<{ readable: number; unreadable: number; anyUnbound: boolean }> {
    const result = { readable: 0, unreadable: 0, anyUnbound: false };
    for (const field of this.fields) {
      const rows = this.connection
        .collection(field.collection)
        .find(
          { [field.path]: { $type: 'string' }, deleted: { $ne: true } },
          { projection: { [field.path]: 1, _environmentId: 1 } },
        )
        .sort({ _id: -1 })
        .limit(SAMPLE_SIZE);
      for await (const row of rows) {
        const text = field.textIn(row);
        if (text === undefined) continue;
        result.anyUnbound ||= SecretBox.infoOf(text)?.bound !== true;
        if (this.box.tryOpen(text, field.of(row._id, String(row['_environmentId']))) === undefined)
          result.unreadable += 1;
        else result.readable += 1;
      }
      // Deleted records count: they are resealed, too.
      result.anyUnbound ||= (await this.countOf(field, '^v1\\.')) > 0;
    }
    return result;
  }

  private countOf({ collection, path }: SealedField, form: string): Promise<number> {
    return this.connection.collection(collection).countDocuments({ [path]: { $regex: form } }, { limit: 1 });
  }
}
