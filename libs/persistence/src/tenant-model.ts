import type {
  Aggregate,
  HydratedDocument,
  Model,
  ProjectionType,
  QueryFilter,
  QueryOptions,
  QueryWithHelpers,
  Types,
  UpdateQuery,
  UpdateWithAggregationPipeline,
  UpdateWriteOpResult,
  PipelineStage,
} from 'mongoose';
import type { TenantContext } from '#libs/common';
import type { TenantReads } from './tenant-reads.js';

export type TenantFilter<T> = QueryFilter<T> & { _environmentId: string | Types.ObjectId };

type Update<T> = UpdateQuery<T> | UpdateWithAggregationPipeline;
type Doc<T> = HydratedDocument<T>;
type Q<R, T, Op extends string> = QueryWithHelpers<R, Doc<T>, object, T, Op>;
type DeleteResult = { acknowledged: boolean; deletedCount: number };

/** Writes without a filter. */
type Unfiltered<T> = Pick<
  Model<T>,
  'create' | 'insertMany' | 'bulkWrite' | 'collection' | 'modelName' | 'init' | 'hydrate'
>;

/**
 * Mongoose's model with filters that must name their environment, so that a query without one does not compile.
 * Inject it as `@InjectModel(Feed.name) private readonly feeds: TenantModel<Feed>`.
 */
export interface TenantModel<T> extends Unfiltered<T>, TenantReads<T> {
  find(
    filter: TenantFilter<T>,
    projection?: ProjectionType<T> | null,
    options?: QueryOptions<T>,
  ): Q<Doc<T>[], T, 'find'>;
  findOne(
    filter: TenantFilter<T>,
    projection?: ProjectionType<T> | null,
    options?: QueryOptions<T>,
  ): Q<Doc<T> | null, T, 'findOne'>;
  findOneAndUpdate(
    filter: TenantFilter<T>,
    update: Update<T>,
    options?: QueryOptions<T>,
  ): Q<Doc<T> | null, T, 'findOneAndUpdate'>;
  findOneAndDelete(filter: TenantFilter<T>, options?: QueryOptions<T>): Q<Doc<T> | null, T, 'findOneAndDelete'>;
  updateOne(filter: TenantFilter<T>, update: Update<T>, options?: object): Q<UpdateWriteOpResult, T, 'updateOne'>;
  updateMany(filter: TenantFilter<T>, update: Update<T>, options?: object): Q<UpdateWriteOpResult, T, 'updateMany'>;
  deleteOne(filter: TenantFilter<T>): Q<DeleteResult, T, 'deleteOne'>;
  deleteMany(filter: TenantFilter<T>): Q<DeleteResult, T, 'deleteMany'>;
  countDocuments(filter: TenantFilter<T>, options?: object): Q<number, T, 'countDocuments'>;
  exists(filter: TenantFilter<T>): Q<{ _id: Types.ObjectId } | null, T, 'findOne'>;
  distinct<K extends keyof T & string>(field: K, filter: TenantFilter<T>): Q<T[K][], T, 'distinct'>;
  /** The first stage must be a `$match` on the environment as an ObjectId: pipelines are not cast. */
  aggregate<R>(pipeline: [PipelineStage.Match, ...PipelineStage[]]): Aggregate<R[]>;
}

export function ownedBy(tenant: Pick<TenantContext, 'organizationId' | 'environmentId'>): {
  _organizationId: string;
  _environmentId: string;
} {
  return { _organizationId: tenant.organizationId, _environmentId: tenant.environmentId };
}
