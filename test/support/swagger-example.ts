import { type Document, resolve, type Schema } from './routes.js';

const BY_TYPE: Record<string, unknown> = { string: 'string', number: 0, integer: 0, boolean: true };

/** The body that Swagger UI puts into 'Try it out': examples where there are some, otherwise a value of the type. */
export function swaggerExample(document: Document, of: Schema | undefined): unknown {
  const schema = resolve(document, of) as Schema & { default?: unknown };
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.oneOf !== undefined) return swaggerExample(document, schema.oneOf[0]);
  const [type = 'object'] = [schema.type ?? []].flat();
  if (type === 'array') return [swaggerExample(document, schema.items)];
  if (schema.properties === undefined) return BY_TYPE[type] ?? {};
  const entries = Object.entries(schema.properties);
  return Object.fromEntries(entries.map(([name, child]) => [name, swaggerExample(document, child)]));
}
