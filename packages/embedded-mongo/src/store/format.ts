import { encode, type Doc } from '../bson/codec.js';

/** Version of the form of the values, stored from the first one that an earlier program cannot read. 2: compressed documents. */
const FORMAT = 2;

/** Among the names of collections, where no collection has it. */
export const FORMAT_NAME = '\0format';

/**
 * Says which version may read the data. Programs from before this record take it for a collection: they refuse to start because
 * they cannot parse the filter of its index, and their message names the filter.
 */
export const FORMAT_RECORD = encode({
  format: FORMAT,
  id: 0,
  options: {},
  indexes: ['_id_', 'format'].map((name) => ({
    id: 0,
    name,
    key: { _id: 1 },
    spec:
      name === '_id_' ? {} : { partialFilterExpression: { '$written by a newer version of the embedded store': 1 } },
    multi: [],
    shortened: false,
  })),
});

/** @throws if the data was written by a newer version */
export function assertKnownFormat(record: Doc): void {
  const format = Number(record.format);
  if (format <= FORMAT) return;
  throw new Error(
    `the data was written by a newer version of the embedded store (format ${format}, and this version knows ${FORMAT} at most): ` +
      'start the newer version, or restore a backup from before the upgrade',
  );
}
