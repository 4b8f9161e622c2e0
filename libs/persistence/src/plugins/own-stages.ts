import type { Model, mongo } from 'mongoose';
import { hasTenant, type OwnerFields, ownerFields } from '../walls.js';

type Stage = mongo.Document;

/** Stages that look at nothing but what the stage before them passes on. */
const PLAIN: ReadonlySet<string> = new Set([
  '$addFields',
  '$bucket',
  '$bucketAuto',
  '$count',
  '$densify',
  '$fill',
  '$group',
  '$limit',
  '$match',
  '$project',
  '$redact',
  '$replaceRoot',
  '$replaceWith',
  '$sample',
  '$set',
  '$setWindowFields',
  '$skip',
  '$sort',
  '$sortByCount',
  '$unset',
  '$unwind',
]);

/**
 * A pipeline that begins with the records of the owner, and joins none of others.
 * @throws {ForeignStageError}
 */
export function ownStages(pipeline: readonly Stage[], owner: OwnerFields, model: Model<unknown>): Stage[] {
  const match = { _environmentId: owner._environmentId };
  const [first, ...rest] = pipeline;
  const near = first?.['$geoNear'] as Stage | undefined;
  // It has to be the first stage.
  if (near === undefined) return [{ $match: match }, ...pipeline.map((stage) => ownStage(stage, model, owner))];
  const query = { $and: [near['query'] ?? {}, match] };
  return [{ $geoNear: { ...near, query } }, ...rest.map((stage) => ownStage(stage, model, owner))];
}

function ownStage(stage: Stage, model: Model<unknown>, owner: OwnerFields): Stage {
  const [name = ''] = Object.keys(stage);
  const given = stage[name] as Stage;
  const within = (pipeline: unknown): Stage[] =>
    ((pipeline ?? []) as Stage[]).map((inner) => ownStage(inner, model, owner));
  switch (name) {
    case '$facet':
      return { $facet: Object.fromEntries(Object.entries(given).map(([key, inner]) => [key, within(inner)])) };
    case '$lookup': {
      const own = ownMatch(name, given['from'], model, owner);
      return { $lookup: { ...given, pipeline: [own, ...within(given['pipeline'])] } };
    }
    case '$graphLookup': {
      const { $match } = ownMatch(name, given['from'], model, owner);
      return {
        $graphLookup: { ...given, restrictSearchWithMatch: { $and: [given['restrictSearchWithMatch'] ?? {}, $match] } },
      };
    }
    case '$unionWith': {
      const coll: unknown = typeof given === 'string' ? given : given['coll'];
      const own = ownMatch(name, coll, model, owner);
      return { $unionWith: { coll, pipeline: [own, ...within(typeof given === 'string' ? [] : given['pipeline'])] } };
    }
    default:
      if (PLAIN.has(name)) return stage;
      throw new ForeignStageError(model.modelName, `${name} may reach records of other environments`);
  }
}

/** The records of the owner in another collection. */
function ownMatch(stage: string, collection: unknown, { db, modelName }: Model<unknown>, owner: OwnerFields): Stage {
  const joined = Object.values(db.models).find(
    (model) => model.collection.name === collection && hasTenant(model.schema),
  );
  if (joined === undefined) {
    throw new ForeignStageError(
      modelName,
      `${stage} names ${String(collection)}, which no model has whose records belong to environments; use populate()`,
    );
  }
  const { _environmentId } = ownerFields(joined.schema, { environmentId: String(owner._environmentId) });
  return { $match: { _environmentId } };
}

/** An error in the code that has begun the query, never of a caller. */
export class ForeignStageError extends Error {
  constructor(model: string, fault: string) {
    super(`An aggregation of ${model} is limited to the environment of the caller: ${fault}.`);
    this.name = 'ForeignStageError';
  }
}
