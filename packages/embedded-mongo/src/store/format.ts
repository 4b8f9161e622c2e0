import { encode, type Doc } from '../bson/codec.js';

/** Version of the form of the values. 2: compressed documents; 3: checksums. */
const FORMAT = 3;

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

/**
 * Whether the data says that only this version and later ones may read it.
 * @throws if it was written by a newer version
 */
export function isCurrentFormat(record: Doc): boolean {
  const format = Number(record.format);
  if (format <= FORMAT) return format === FORMAT;
  throw new Error(
    `the data was written by a newer version of the embedded store (format ${format}, and this version knows ${FORMAT} at most): ` +
      'start the newer version, or restore a backup from before the upgrade',
  );
}
