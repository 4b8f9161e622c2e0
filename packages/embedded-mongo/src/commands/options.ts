import { StoreError } from '../errors.js';
import { isDoc, type Doc } from '../bson/codec.js';
import { numberOf, isNumeric } from '../bson/numbers.js';
import { notSupported } from '../errors.js';

/** Fields that any command may carry; the session id is accepted and means nothing here. */
const COMMON = [
  '$db',
  'lsid',
  '$clusterTime',
  '$readPreference',
  'readConcern',
  'writeConcern',
  'comment',
  'maxTimeMS',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
];

/** What to do without an option that is often asked for. */
const INSTEAD: Record<string, string> = {
  'create.capped': ' Use a TTL index, which removes documents by their age.',
  'create.validator': ' Declare the rules in the schema of Mongoose, or check documents before they are written.',
  'create.timeseries': ' Use a collection with an index on the time, and a TTL index.',
  'create.viewOn': ' Run the pipeline where it is needed, or write its result into a collection with $merge.',
};

/** Options whose neutral value means "as usual", so that it may be given although the feature is not there. */
export function assertOptions(name: string, command: Doc, allowed: readonly string[]): void {
  if ('txnNumber' in command || 'startTransaction' in command)
    throw new StoreError('IllegalOperation', 'Transaction numbers without a transaction need a replica set or mongos');
  for (const field of Object.keys(command)) {
    if (field === name || COMMON.includes(field) || allowed.includes(field)) continue;
    if (field === 'collation') {
      refuseCollation(command);
      continue;
    }
    throw new StoreError(
      'Location40415',
      `BSON field '${name}.${field}' is an unknown field, or not supported by the embedded store.${INSTEAD[`${name}.${field}`] ?? ''}`,
      {},
      40415,
    );
  }
  assertConcerns(command);
}

/** The simple collation is what there is. */
function refuseCollation({ collation }: Doc): void {
  if (
    collation === undefined ||
    (isDoc(collation) && (Object.keys(collation).length === 0 || collation.locale === 'simple'))
  )
    return;
  throw notSupported('collation here', 'give it with each find, count, update, delete or aggregate command');
}

/** Version 1 of the versioned API is what there is. */
export function assertApiVersion({ apiVersion, apiStrict, apiDeprecationErrors }: Doc): void {
  if (apiVersion === undefined && (apiStrict !== undefined || apiDeprecationErrors !== undefined))
    throw new StoreError('InvalidOptions', "'apiStrict' and 'apiDeprecationErrors' need an 'apiVersion'");
  if (apiVersion !== undefined && apiVersion !== '1')
    throw new StoreError('APIVersionError', "API version must be '1'", {}, 322);
}

function assertConcerns({ readConcern, writeConcern, apiStrict }: Doc): void {
  const level = isDoc(readConcern) ? readConcern.level : undefined;
  if (level !== undefined && !['local', 'available', 'majority'].includes(level as string)) {
    throw new StoreError(
      'InvalidOptions',
      'this read concern is not supported by the embedded store; a transaction (startTransaction) reads one state of it',
    );
  }
  const w = isDoc(writeConcern) ? writeConcern.w : undefined;
  if (isNumeric(w) && Number(numberOf(w)) > 1)
    throw new StoreError('BadValue', "cannot use 'w' > 1 when a host is not replicated");
  // refused here and not of a handshake, so that it is the command that fails and not the connection
  if (apiStrict === true) throw notSupported('apiStrict');
}

export const booleanOf = (value: unknown): boolean =>
  value === true || (isNumeric(value) && Number(numberOf(value)) !== 0);
