import { STEP_TYPES } from '#libs/plugins';
import { OF_PLUGIN } from '#libs/validation';
import { z } from 'zod';

type Json = Readonly<Record<string, unknown>>;

/** Its value is known only when the step runs. */
const EXPRESSION: Json = { type: 'string', pattern: '\\{\\{' };
const SCALARS: readonly unknown[] = ['string', 'number', 'integer', 'boolean'];
/** They do not restrict the value. */
const ANNOTATIONS = ['title', 'description', 'default', 'examples', 'deprecated'];

/** As clients send it: values with a default are optional, and each may be an expression. */
export function documentedStepInput(type: string, input: z.ZodType): z.ZodType {
  const shown = z.unknown().meta({
    ...withExpressions(inputSchema(input)),
    description: 'What the step does, as its plugin declares it. Texts are templates.',
    [OF_PLUGIN]: STEP_TYPES.pluginOf(type),
  });
  return input.safeParse(undefined).success ? shown.optional() : shown;
}

/** Of the rendered input; empty if the schema refers to itself. */
export function inputSchema(input: z.ZodType): Json {
  try {
    const {
      $schema: _,
      $defs,
      ...schema
    } = z.toJSONSchema(input, {
      io: 'input',
      unrepresentable: 'any',
      cycles: 'throw',
      override: ({ zodSchema, jsonSchema }) => {
        const { coerce } = zodSchema._zod.def as { coerce?: boolean };
        const { type } = jsonSchema;
        if (coerce === true && typeof type === 'string' && type !== 'string')
          Object.assign(jsonSchema, { type: [type, 'string'] });
      },
    });
    return $defs === undefined ? schema : {};
  } catch {
    return {};
  }
}

/** Before rendering: each value with rules may be an expression. */
export function withExpressions(schema: Json): Json {
  const { properties, items, prefixItems, additionalProperties, anyOf, oneOf, allOf, ...rest } = schema;
  const alternatives = anyOf ?? oneOf;
  return orExpression({
    ...rest,
    ...(isSchema(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, deep(member)])),
    }),
    ...(items !== undefined && { items: deep(items) }),
    ...(Array.isArray(prefixItems) && { prefixItems: prefixItems.map(deep) }),
    ...(additionalProperties !== undefined && { additionalProperties: deep(additionalProperties) }),
    ...(Array.isArray(allOf) && { allOf: allOf.map(deep) }),
    // An expression fits several alternatives.
    ...(Array.isArray(alternatives) && { anyOf: alternatives.map(deep) }),
  });
}

const isSchema = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const deep = (value: unknown): unknown => (isSchema(value) ? withExpressions(value) : value);

function orExpression(schema: Json): Json {
  const isValue = SCALARS.includes(schema['type']) || schema['enum'] !== undefined || schema['const'] !== undefined;
  const entries = Object.entries(schema);
  const rules = entries.filter(([key]) => !ANNOTATIONS.includes(key));
  const isAnyText = schema['type'] === 'string' && rules.length === 1;
  if (!isValue || isAnyText) return schema;
  const annotations = entries.filter(([key]) => ANNOTATIONS.includes(key));
  return { ...Object.fromEntries(annotations), anyOf: [Object.fromEntries(rules), EXPRESSION] };
}
