import { mongo } from 'mongoose';
import { given, nameOf, type Row } from './novu-records.js';
import type { ImportReport } from './report.js';

const DUPLICATE = 11_000;

export interface Target {
  readonly kind: string;
  readonly to: string;
  /** What identifies a record, where it is not its id. */
  readonly key?: readonly string[];
  /** A record that is there stays as it is. */
  readonly isKept?: true;
}

/** Writes records into Herald's store. */
export class RecordWriter {
  constructor(
    private readonly to: mongo.Db,
    private readonly report: ImportReport,
    private readonly isDryRun: boolean,
  ) {}

  /** One record that clashes with another one leaves the others. */
  async write(target: Target, records: readonly Row[]): Promise<void> {
    const { kind, to } = target;
    const report = this.report.of(kind);
    report.taken += records.length;
    if (this.isDryRun || records.length === 0) return;
    const operations = records.map((record) => operationOf(target, record));
    try {
      await this.to.collection(to).bulkWrite(operations, { ordered: false });
    } catch (error) {
      if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
      const failed = [error.writeErrors].flat();
      const other = failed.find(({ code }) => code !== DUPLICATE);
      if (failed.length === 0 || other !== undefined) throw error;
      report.taken -= failed.length;
      for (const { index } of failed) {
        const row = records[index];
        if (row === undefined) continue;
        const why = 'Herald has another record with the same identifier';
        const name = given({ name: nameOf(row) });
        this.report.note(kind, { id: row._id.toHexString(), ...name, outcome: 'left out', why });
      }
    }
  }
}

function operationOf({ key, isKept }: Target, whole: Row): mongo.AnyBulkWriteOperation {
  const { _id, ...record } = whole;
  if (key === undefined) return { replaceOne: { filter: { _id }, replacement: record, upsert: true } };
  const filter = Object.fromEntries(key.map((name) => [name, whole[name] as unknown]));
  const own = key.includes('_id') ? {} : { _id };
  const update = isKept ? { $setOnInsert: { ...own, ...record } } : { $set: record, $setOnInsert: own };
  return { updateOne: { filter, update, upsert: true } };
}
