export interface InputField {
  /** With dots, and `[]` for the entries of a list. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** Description, default and limits, as sentences. */
  readonly meaning: string;
}

type Schema = Readonly<Record<string, unknown>>;

const LIMITS: readonly (readonly [key: string, sentence: (value: string) => string])[] = [
  ['minLength', (value) => `At least ${value} ${value === '1' ? 'character' : 'characters'}.`],
  ['maxLength', (value) => `At most ${value} characters.`],
  ['minimum', (value) => `At least ${value}.`],
  ['exclusiveMinimum', (value) => `More than ${value}.`],
  ['maximum', (value) => `At most ${value}.`],
  ['exclusiveMaximum', (value) => `Less than ${value}.`],
  ['minItems', (value) => `At least ${value} entries.`],
  ['maxItems', (value) => `At most ${value} entries.`],
  ['format', (value) => `Format: ${value}.`],
];
/** Limits that only describe how numbers are stored. */
const UNLIMITED: readonly unknown[] = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  array: 'list',
  null: 'null',
};
const MAX_DEPTH = 5;

/** In the order of the schema, each followed by its own members. */
export function inputFields(schema: Schema, prefix = '', depth = 0): InputField[] {
  if (depth > MAX_DEPTH) return [];
  const required = listOf(schema['required']);
  return Object.entries(schemaIn(schema['properties']) ?? {}).flatMap(([name, value]) => {
    const member = schemaIn(value) ?? {};
    const entries = schemaIn(member['items']);
    const path = `${prefix}${name}`;
    return [
      { path, type: typeOf(member), isRequired: required.includes(name), meaning: meaningOf(member) },
      ...inputFields(member, `${path}.`, depth + 1),
      ...(entries ? inputFields(entries, `${path}[].`, depth + 1) : []),
    ];
  });
}

function typeOf(schema: Schema): string {
  const alternatives = listOf(schema['anyOf'] ?? schema['oneOf']).map((one) => schemaIn(one) ?? {});
  if (alternatives.length > 0) return [...new Set(alternatives.map(typeOf))].join(' or ');
  if (schema['const'] !== undefined) return JSON.stringify(schema['const']);
  const values = listOf(schema['enum']);
  if (values.length > 0) return values.map((value) => JSON.stringify(value)).join(', ');
  const types = [schema['type']].flat().flatMap((type) => (typeof type === 'string' ? [WORDS[type] ?? type] : []));
  const entries = schemaIn(schema['items']);
  if (entries !== undefined && types.length === 1) return `list of ${typeOf(entries)}`;
  return types.length === 0 ? 'any value' : types.join(' or ');
}

function meaningOf(schema: Schema): string {
  const limits = LIMITS.flatMap(([key, sentence]) => {
    const value = schema[key];
    const isLimit = (typeof value === 'number' && !UNLIMITED.includes(value)) || typeof value === 'string';
    return isLimit ? [sentence(typeof value === 'number' ? value.toLocaleString('en') : value)] : [];
  });
  const byDefault = schema['default'] === undefined ? [] : [`Default: ${JSON.stringify(schema['default'])}.`];
  const { description } = schema;
  const sentence = typeof description === 'string' ? [description.replace(/[^.!?]$/, '$&.')] : [];
  return [...sentence, ...limits, ...byDefault].join(' ');
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function schemaIn(value: unknown): Schema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : undefined;
}
