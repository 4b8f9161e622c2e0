import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './install.mjs';

// node tools/simple-openapi.mjs FILE  writes openapi.json for generators that know neither OpenAPI 3.1 nor unions

/** An OpenAPI 3.0 document in which union types become any type. It does not cover webhooks. */
export function simplified(document) {
  const simple = converted(document, document.components?.schemas ?? {});
  delete simple.webhooks;
  return { ...simple, openapi: '3.0.3' };
}

function converted(value, schemas) {
  if (Array.isArray(value)) return value.map((one) => converted(one, schemas));
  if (typeof value !== 'object' || value === null) return value;
  if (value.allOf?.length > 1) return converted(merged(value, schemas), schemas);
  return isSchema(value) ? schemaOf(value, schemas) : mapValues(value, (one) => converted(one, schemas));
}

/** One object with the fields of its parts, such as a page. */
function merged({ allOf, ...rest }, schemas) {
  const parts = allOf.map(({ $ref, ...inline }) => ($ref === undefined ? inline : schemas[$ref.split('/').at(-1)]));
  return {
    type: 'object',
    ...rest,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

/** Examples are data, which may look like anything. */
function mapValues(record, map) {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, key === 'example' || key === 'examples' ? value : map(value)]),
  );
}

/** References to other things than schemas stay as they are. */
function isSchema({ $ref, type, oneOf, in: place }) {
  if (typeof place === 'string') return false;
  if (typeof $ref === 'string') return $ref.startsWith('#/components/schemas/');
  return Array.isArray(oneOf) || Array.isArray(type) || TYPES.has(type);
}

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object']);

function schemaOf({ oneOf, $ref, type, examples, exclusiveMinimum, discriminator, ...rest }, schemas) {
  const types = [type ?? []].flat().filter((one) => one !== 'null');
  const options = (oneOf ?? []).filter((one) => one.type !== 'null');
  const isNullable = types.length < [type ?? []].flat().length || options.length < (oneOf ?? []).length;
  const shared = {
    ...mapValues(rest, (one) => converted(one, schemas)),
    ...(rest.enum && { enum: rest.enum.filter((one) => one !== null) }),
    ...(examples && { example: examples[0] }),
    ...(exclusiveMinimum !== undefined && { minimum: exclusiveMinimum, exclusiveMinimum: true }),
    ...(isNullable && { nullable: true }),
  };
  if (options.length > 1) return { description: rest.description };
  const reference = $ref ?? options[0]?.$ref;
  if (reference !== undefined) {
    return Object.keys(shared).length === 0 ? { $ref: reference } : { ...shared, allOf: [{ $ref: reference }] };
  }
  return { ...(types.length === 1 && { type: types[0] }), ...(discriminator && { discriminator }), ...shared };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = process.argv[2] ?? 'openapi-simple.json';
  const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'));
  writeFileSync(file, `${JSON.stringify(simplified(document), null, 2)}\n`);
  console.log(`${file}: written`);
}
