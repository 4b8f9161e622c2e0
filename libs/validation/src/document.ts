import { z } from 'zod';

export interface OpenApiSchema {
  type?: string;
  $ref?: string;
  properties?: Record<string, OpenApiSchema>;
  required?: string[];
  [key: string]: unknown;
}

/** Nested. `true` is a value that is not examined. */
export interface Members {
  readonly [name: string]: true | Members;
}

/** For example `described(text(255), { description: 'Display name.', example: 'Ada' })`. */
export interface Description {
  readonly description: string;
  readonly example?: unknown;
  readonly default?: unknown;
  /** Null has a meaning of its own. Elsewhere it is accepted as absent, and the document does not offer it. */
  readonly nullable?: true;
}

/** Names the plugin that checks a value. Such a schema is already JSON Schema. */
export const OF_PLUGIN = 'x-herald-plugin';

const components = new Map<string, z.ZodType>();
const nameOf = new WeakMap<object, string>();
const documentedAs = new WeakMap<object, () => z.ZodType>();

/** A component of the OpenAPI document, referenced by name. */
export function named<T extends z.ZodType>(name: string, schema: T, description?: string): T {
  const component = withMeta(schema, { id: name, ...(description !== undefined && { description }) });
  components.set(name, component);
  nameOf.set(component, name);
  return component;
}

export function described<T extends z.ZodType>(schema: T, description: Description): T {
  return withMeta(schema, { ...description });
}

/** Keeps unknown members, unchecked. */
export function open<T extends z.ZodType>(schema: T): T {
  return withMeta(schema, { additionalProperties: true });
}

/** Keeps validation and documentation of the original. */
function withMeta<T extends z.ZodType>(schema: T, meta: z.GlobalMeta): T {
  const copy = schema.meta({ ...schema.meta(), ...meta });
  const documented = documentedAs.get(schema);
  if (documented !== undefined) documentedAs.set(copy, documented);
  return copy;
}

/** Validates as the first schema and is documented as the second. @param documented a function if it is known only later */
export function shownAs<T extends z.ZodType>(checked: T, documented: z.ZodType | (() => z.ZodType)): T {
  const copy = checked.clone();
  documentedAs.set(copy, typeof documented === 'function' ? documented : () => documented);
  return copy;
}

/** What a schema is documented as, where that is another one. */
export function documentOf(schema: object): z.ZodType | undefined {
  return documentedAs.get(schema)?.();
}

/** As {@link shownAs}, with the type of the documented schema. */
export function documentAs<T extends z.ZodType>(documented: T, checked: z.ZodType): z.ZodType<z.output<T>> {
  return shownAs(checked, documented) as z.ZodType<z.output<T>>;
}

/** A reference if the schema is a component. */
export function openApiOf(schema: z.ZodType): OpenApiSchema {
  const name = nameOf.get(schema);
  return name === undefined ? definitionOf(schema) : referenceTo(name);
}

export function openApiComponents(): Record<string, OpenApiSchema> {
  const definitions: Record<string, OpenApiSchema> = {};
  // Some are named while others are written.
  for (const [name, schema] of components) definitions[name] = definitionOf(schema);
  return definitions;
}

function referenceTo(name: string): OpenApiSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function definitionOf(schema: z.ZodType): OpenApiSchema {
  const json = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io: 'output',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const documented = documentOf(zodSchema);
      if (documented !== undefined) replace(jsonSchema, { ...openApiOf(documented), ...ownMeta(zodSchema) });
      if (zodSchema._zod.def.type === 'nullable') delete jsonSchema.nullable;
    },
  }) as OpenApiSchema & { definitions?: Record<string, OpenApiSchema> };
  const component = json.definitions?.[nameOf.get(schema) ?? ''];
  return asOpenApi(component ?? json) as OpenApiSchema;
}

function ownMeta(schema: z.core.$ZodType): object {
  const { id: _id, ...meta } = z.globalRegistry.get(schema) ?? {};
  return meta;
}

function replace(target: object, by: OpenApiSchema): void {
  for (const key of Object.keys(target)) delete (target as OpenApiSchema)[key];
  Object.assign(target, by);
}

/** OpenAPI 3.0. */
function asOpenApi(value: unknown, key?: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => asOpenApi(item));
  if (key === 'additionalProperties' && isEmpty(value)) return true;
  if (typeof value !== 'object' || value === null || key === 'example' || key === 'default') return value;
  if (Object.hasOwn(value, OF_PLUGIN)) return value;
  const { $ref, id: _id, definitions: _definitions, anyOf, additionalProperties, ...rest } = value as OpenApiSchema;
  if (key === 'properties') return mapped(value as OpenApiSchema);
  const target = $ref === undefined ? undefined : referenceTo($ref.split('/').at(-1) ?? '');
  if (target !== undefined && Object.keys(rest).length === 0) return target;
  return {
    ...mapped(rest),
    ...(target !== undefined && { allOf: [target] }),
    ...(anyOf !== undefined && { oneOf: asOpenApi(anyOf) }),
    ...(isOpen(additionalProperties) && {
      additionalProperties: asOpenApi(additionalProperties, 'additionalProperties'),
    }),
  };
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** zod states `additionalProperties` for each object; the document does only if there are some. */
function isOpen(additionalProperties: unknown): boolean {
  return additionalProperties !== undefined && additionalProperties !== false;
}

function mapped(value: OpenApiSchema): OpenApiSchema {
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, asOpenApi(child, key)]));
}

/** `true` if the schema keeps members of the client's own. */
export function membersOf(schema: z.ZodType): true | Members {
  const inner = documentedForm(schema);
  if (inner instanceof z.ZodArray) return membersOf(inner.element as z.ZodType);
  if (!(inner instanceof z.ZodObject) || inner.meta()?.['additionalProperties'] === true) return true;
  const shape = inner.shape as Record<string, z.ZodType>;
  return Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, membersOf(member)]));
}

/** What a value is declared as if it is there. */
export function documentedForm(schema: z.ZodType): z.ZodType {
  const documented = documentOf(schema);
  if (documented !== undefined) return documentedForm(documented);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return documentedForm(schema.unwrap() as z.ZodType);
  return schema;
}
