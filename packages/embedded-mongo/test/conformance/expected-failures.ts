/** Why a test is not passed; each of these is refused with an error that names it, and none gives a wrong answer. */
const COLLATION = 'collation is refused';
const WRITING_STAGES = '$out and $merge are refused';
const DATABASE_AGGREGATE = 'aggregations on a database ($listLocalSessions) are refused';
const VIEWS = 'views are refused';
const VALIDATION = 'document validation (collMod) is refused';
const NULL_ID = 'this driver replaces a null _id by a new ObjectId before it sends the document';

/**
 * Tests of the suite that the embedded store does not pass, by file and description, with the reason. The list is checked in both
 * directions: a failure that is not listed and a listed one that passes are both errors.
 */
export const EXPECTED_FAILURES: Record<string, Record<string, string>> = {
  'aggregate-collation.json': {
    'Aggregate with collation': COLLATION,
  },
  'aggregate-let.json': {
    'Aggregate to collection with let option': WRITING_STAGES,
  },
  'aggregate-merge-errorResponse.json': {
    'aggregate $merge DuplicateKey error is accessible': WRITING_STAGES,
  },
  'aggregate-merge.json': {
    'Aggregate with $merge': WRITING_STAGES,
    'Aggregate with $merge and available readConcern': WRITING_STAGES,
    'Aggregate with $merge and batch size of 0': WRITING_STAGES,
    'Aggregate with $merge and local readConcern': WRITING_STAGES,
    'Aggregate with $merge and majority readConcern': WRITING_STAGES,
  },
  'aggregate-out.json': {
    'Aggregate with $out': WRITING_STAGES,
    'Aggregate with $out and batch size of 0': WRITING_STAGES,
  },
  'bulkWrite-collation.json': {
    'BulkWrite with delete operations and collation': COLLATION,
    'BulkWrite with update operations and collation': COLLATION,
  },
  'bypassDocumentValidation.json': {
    'Aggregate with $out passes bypassDocumentValidation: false': WRITING_STAGES,
  },
  'count-collation.json': {
    'Count documents with collation': COLLATION,
    'Deprecated count with collation': COLLATION,
  },
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
  'deleteMany-collation.json': {
    'DeleteMany when many documents match with collation': COLLATION,
  },
  'deleteOne-collation.json': {
    'DeleteOne when many documents matches with collation': COLLATION,
  },
  'distinct-collation.json': {
    'Distinct with a collation': COLLATION,
  },
  'estimatedDocumentCount.json': {
    'estimatedDocumentCount works correctly on views': VIEWS,
  },
  'find-collation.json': {
    'Find with a collation': COLLATION,
  },
  'findOneAndDelete-collation.json': {
    'FindOneAndDelete when one document matches with collation': COLLATION,
  },
  'findOneAndReplace-collation.json': {
    'FindOneAndReplace when one document matches with collation returning the document after modification': COLLATION,
  },
  'findOneAndUpdate-collation.json': {
    'FindOneAndUpdate when many documents match with collation returning the document before modification': COLLATION,
  },
  'findOneAndUpdate-errorResponse.json': {
    'findOneAndUpdate document validation errInfo is accessible': VALIDATION,
  },
  'replaceOne-collation.json': {
    'ReplaceOne when one document matches with collation': COLLATION,
  },
  'updateMany-collation.json': {
    'UpdateMany when many documents match with collation': COLLATION,
  },
  'updateOne-collation.json': {
    'UpdateOne when one document matches with collation': COLLATION,
  },
};
