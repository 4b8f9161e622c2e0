import { OF_PLUGIN } from '#libs/validation';
import type { ApiSchema, MediaType, Parameter } from './openapi.types.js';

/** Converts OpenAPI 3.0, as Nest and zod write it, to the JSON Schema 2020-12 of OpenAPI 3.1. */
export function toJsonSchema(schema: ApiSchema): ApiSchema {
  if (schema[OF_PLUGIN] !== undefined) return schema;
  const { nullable, example, exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  const converted: ApiSchema = {
    ...withoutWrapper(withParts(rest)),
    ...(example !== undefined && { examples: [example] }),
  };
  if (exclusiveMinimum !== undefined) limit(converted, 'minimum', 'exclusiveMinimum', exclusiveMinimum);
  if (exclusiveMaximum !== undefined) limit(converted, 'maximum', 'exclusiveMaximum', exclusiveMaximum);
  return nullable === true ? orNull(converted) : converted;
}

function withParts(schema: ApiSchema): ApiSchema {
  const { properties, items, additionalProperties } = schema;
  const parts: ApiSchema = {};
  for (const key of ['allOf', 'oneOf', 'anyOf'] as const) {
    const list = schema[key];
    if (list !== undefined) parts[key] = list.map(toJsonSchema);
  }
  if (properties !== undefined) parts.properties = mapValues(properties, toJsonSchema);
  if (items !== undefined) parts.items = toJsonSchema(items);
  if (typeof additionalProperties === 'object') parts.additionalProperties = toJsonSchema(additionalProperties);
  return { ...schema, ...parts };
}

/** OpenAPI 3.0 needs `allOf` with one reference to describe the reference. */
function withoutWrapper(schema: ApiSchema): ApiSchema {
  const { allOf, ...rest } = schema;
  const [only, ...others] = allOf ?? [];
  if (only?.$ref === undefined || others.length > 0 || Object.keys(only).length > 1) return schema;
  return { $ref: only.$ref, ...rest };
}

function limit(schema: ApiSchema, inclusive: string, exclusive: string, value: unknown): void {
  if (typeof value === 'number') schema[exclusive] = value;
  if (value !== true) return;
  schema[exclusive] = schema[inclusive];
  delete schema[inclusive];
}

function orNull(schema: ApiSchema): ApiSchema {
  const { $ref, type, oneOf } = schema;
  const members = $ref === undefined ? oneOf : [{ $ref }];
  if (members !== undefined) {
    // A type beside them would reject null.
    const { $ref: _reference, type: _type, ...rest } = schema;
    return { ...rest, oneOf: [...members, { type: 'null' }] };
  }
  if (type === undefined) return schema;
  const values = schema['enum'] as unknown[] | undefined;
  return { ...schema, type: [type, 'null'].flat(), ...(values !== undefined && { enum: [...values, null] }) };
}

export function convertSchemaOf(carrier: Pick<Parameter | MediaType, 'schema'>): void {
  if (carrier.schema !== undefined) carrier.schema = toJsonSchema(carrier.schema);
}

export function mapValues<T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
