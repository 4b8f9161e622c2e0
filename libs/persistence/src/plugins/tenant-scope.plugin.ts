import type { Aggregate, PipelineStage, Query, Schema } from 'mongoose';
import { FILTERED_OPERATIONS } from './soft-delete.plugin.js';

/**
 * Rejects every query that does not name one environment. Exceptions (claims of the worker, start, migrations) set
 * `crossTenant: true`.
 */
export function tenantScope(schema: Schema): void {
  schema.pre([...FILTERED_OPERATIONS], { document: false, query: true }, function (this: Query<unknown, unknown>) {
    if (this.getOptions()['crossTenant'] === true) return;
    assertOneEnvironment(this.getFilter(), this.model.modelName);
  });
  schema.pre('aggregate', function (this: Aggregate<unknown>) {
    if ((this.options as Record<string, unknown>)['crossTenant'] === true) return;
    const matches = this.pipeline().filter((stage): stage is PipelineStage.Match => '$match' in stage);
    assertOneEnvironment(
      Object.assign({}, ...matches.map((stage) => stage.$match)) as Record<string, unknown>,
      this.model().modelName,
    );
  });
}

function assertOneEnvironment(filter: Record<string, unknown>, model: string): void {
  const value = filter['_environmentId'];
  const named = typeof value === 'string' || (typeof value === 'object' && value !== null && '_bsontype' in value);
  if (!named) throw new UnscopedQueryError(model);
}

/** An error in Herald's code, never of a caller. */
export class UnscopedQueryError extends Error {
  constructor(model: string) {
    super(`A query on ${model} names no environment. Put _environmentId into its filter, or declare it crossTenant.`);
    this.name = 'UnscopedQueryError';
  }
}
