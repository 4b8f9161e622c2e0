/** Why a test is not passed; each of these is refused with an error that names it, and none gives a wrong answer. */
const DATABASE_AGGREGATE = 'aggregations on a database ($listLocalSessions) are refused';
const VIEWS = 'views are refused';
const VALIDATION = 'document validation (collMod) is refused';
const NULL_ID = 'this driver replaces a null _id by a new ObjectId before it sends the document';

/**
 * Tests of the suite that the embedded store does not pass, by file and description, with the reason. The list is checked in both
 * directions: a failure that is not listed and a listed one that passes are both errors.
 */
export const EXPECTED_FAILURES: Record<string, Record<string, string>> = {
  'create-null-ids.json': {
    'inserting _id with type null via bulkWrite': NULL_ID,
    'inserting _id with type null via insertMany': NULL_ID,
    'inserting _id with type null via insertOne': NULL_ID,
  },
  'db-aggregate-rawdata.json': {
    'Aggregate with rawData option on less than 8.2.0 - ignore argument': DATABASE_AGGREGATE,
  },
  'db-aggregate.json': {
    'Aggregate with $listLocalSessions': DATABASE_AGGREGATE,
    'Aggregate with $listLocalSessions and allowDiskUse': DATABASE_AGGREGATE,
  },
  'estimatedDocumentCount.json': {
    'estimatedDocumentCount works correctly on views': VIEWS,
  },
  'findOneAndUpdate-errorResponse.json': {
    'findOneAndUpdate document validation errInfo is accessible': VALIDATION,
  },
};
