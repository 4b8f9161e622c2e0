const BY_TYPE = { string: 'string', number: 0, integer: 0, boolean: true };

/** The schema behind references and behind a choice that has only null beside it. */
export function resolve(document, schema = {}) {
  const { $ref } = schema;
  if ($ref !== undefined) {
    const path = $ref.slice(2).split('/');
    return resolve(
      document,
      path.reduce((place, name) => place[name], document),
    );
  }
  const [only, ...others] = schema.oneOf?.filter(({ type }) => type !== 'null') ?? schema.allOf ?? [];
  return only !== undefined && others.length === 0 ? resolve(document, only) : schema;
}

/** The value that Swagger UI puts into 'Try it out': the example where there is one, otherwise a value of the type. */
export function exampleOf(document, of) {
  const schema = resolve(document, of);
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.oneOf !== undefined) return exampleOf(document, schema.oneOf[0]);
  const [type = 'object'] = [schema.type ?? []].flat();
  if (type === 'array') return [exampleOf(document, schema.items)];
  if (schema.properties === undefined) return BY_TYPE[type] ?? {};
  const entries = Object.entries(schema.properties);
  return Object.fromEntries(entries.map(([name, child]) => [name, exampleOf(document, child)]));
}
