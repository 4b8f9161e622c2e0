import mongoose, { type Aggregate, Model, type mongo, type PipelineStage, type Query, type Schema } from 'mongoose';
import { needTenantScopes, tenantInScope } from '#libs/common';
import { hasTenant, isDeclared, isPart, notePartsOf, ownerFields, type OwnerFields } from '../walls.js';
import { ownStages } from './own-stages.js';
import { ownDocument, ownReplacement, ownUpdate, ownWrites } from './own-writes.js';

const READS = ['find', 'findOne', 'countDocuments', 'distinct', 'deleteOne', 'deleteMany', 'findOneAndDelete'] as const;
const UPDATES = ['updateOne', 'updateMany', 'findOneAndUpdate'] as const;
const REPLACEMENTS = ['replaceOne', 'findOneAndReplace'] as const;
const OF_QUERIES = { document: false, query: true } as const;

type AnyQuery = Query<unknown, unknown>;
type AnyModel = Model<unknown>;

/**
 * Limits the models of a plain schema with `_environmentId` to the environment of the caller: what they read, change and add.
 * Schemas that say themselves to whom their records belong stay as they are.
 */
export function callerScope(schema: Schema): void {
  notePartsOf(schema);
  if (isDeclared(schema) || isPart(schema) || !hasTenant(schema)) return;
  needTenantScopes();
  scopeQueries(schema);
  scopeWrites(schema);
  schema.pre('aggregate', function (this: Aggregate<unknown>) {
    const model = this.model() as unknown as AnyModel;
    const stages = ownStages(this.pipeline(), ownerFor(model), model);
    this.pipeline().splice(0, this.pipeline().length, ...(stages as PipelineStage[]));
  });
  schema.static('estimatedDocumentCount', function (this: AnyModel, options: object = {}) {
    return this.countDocuments({}, options);
  } as never);
  schema.static('watch', function (this: AnyModel, pipeline: mongo.Document[] = [], options: object = {}) {
    const { _environmentId } = ownerFor(this);
    const own = { $match: { 'fullDocument._environmentId': _environmentId } };
    return Model.watch.call(this, [own, ...pipeline], { ...options, fullDocument: 'updateLookup' });
  } as never);
}

function scopeQueries(schema: Schema): void {
  schema.pre([...READS, ...UPDATES, ...REPLACEMENTS], OF_QUERIES, function (this: AnyQuery) {
    this.setQuery(ownFilter(this.getFilter(), ownerFor(this.model as AnyModel)));
  });
  schema.pre([...UPDATES], OF_QUERIES, function (this: AnyQuery) {
    const isUpsert = this.getOptions().upsert === true;
    this.setUpdate(ownUpdate(this.getUpdate() ?? {}, ownerFor(this.model as AnyModel), isUpsert));
  });
  schema.pre([...REPLACEMENTS], OF_QUERIES, function (this: AnyQuery) {
    this.setUpdate(ownReplacement(this.getUpdate() ?? {}, ownerFor(this.model as AnyModel)));
  });
  // The static of the same name counts what the caller has.
  schema.pre('estimatedDocumentCount', OF_QUERIES, function (this: AnyQuery) {
    throw new Error(
      `The estimate for ${this.model.modelName} has the records of all environments. Use countDocuments().`,
    );
  });
}

function scopeWrites(schema: Schema): void {
  for (const path of ['_environmentId', '_organizationId']) {
    schema.path(path)?.default(() => {
      const tenant = tenantInScope();
      return tenant && ownerFields(schema, tenant)[path];
    });
  }
  const ownSelf = function (this: mongoose.Document): void {
    ownDocument(this, ownerFor(this.constructor as AnyModel));
  };
  // `save` validates before its own hooks, unless it is told not to validate.
  schema.pre('validate', ownSelf);
  schema.pre('save', ownSelf);
  schema.pre('insertMany', function (this: AnyModel, docs: unknown) {
    const owner = ownerFor(this);
    const own = [docs].flat().map((doc) => ownRecord(doc, owner));
    return mongoose.overwriteMiddlewareArguments(own) as never;
  } as never);
  schema.pre('bulkWrite', function (this: AnyModel, operations: readonly mongo.Document[], options: unknown) {
    const owner = ownerFor(this);
    const own = ownWrites(operations, owner, (filter) => ownFilter(filter, owner));
    // Its type leaves out that it takes all arguments.
    return (mongoose.overwriteMiddlewareArguments as (...all: unknown[]) => never)(own, options);
  } as never);
}

function ownRecord(doc: unknown, owner: OwnerFields): unknown {
  if (!(doc instanceof mongoose.Document)) return { ...(doc as object), ...owner };
  ownDocument(doc as mongoose.Document, owner);
  return doc;
}

/** A condition on the environment that is there already, or that of another one, stays: then nothing is found. */
function ownFilter(filter: mongo.Document, { _environmentId }: OwnerFields): mongo.Document {
  return '_environmentId' in filter
    ? { $and: [filter, { _environmentId }], _environmentId }
    : { ...filter, _environmentId };
}

function ownerFor(model: AnyModel): OwnerFields {
  const tenant = tenantInScope();
  if (tenant === undefined) throw new NoCallerError(model.modelName);
  return ownerFields(model.schema, tenant);
}

/** An error in the code that has begun the query, never of a caller. */
export class NoCallerError extends Error {
  constructor(model: string) {
    super(
      `${model} belongs to environments, and nobody has called who has one: this is a public route, or no request at all. ` +
        'Run the query with asTenant(tenant, () => …), from #libs/common or, in a plugin, from herald/plugin.',
    );
    this.name = 'NoCallerError';
  }
}
