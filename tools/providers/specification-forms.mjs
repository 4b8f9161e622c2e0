const closed = (schema) => ({ ...schema, unevaluatedProperties: false });

/** Definitions of a kind of document, made when they are first referred to, so that they may refer to each other. */
class Definitions {
  all = {};
  constructor(read) {
    this.read = read;
  }
  refer(name, isClosed) {
    const key = `${name.replace(/[^\w]/g, '_')}${isClosed ? '_closed' : ''}`;
    if (!(key in this.all)) {
      this.all[key] = true;
      this.all[key] = this.read(name, isClosed);
    }
    return { $ref: `#/$defs/${key}` };
  }
}

/** A schema of OpenAPI as one of JSON Schema. @param isClosed whether it refuses fields that it does not name */
function convertedBy(definitions) {
  const all = (value) => Object.fromEntries(Object.entries(value).map(([key, one]) => [key, converted(one, true)]));
  function converted(schema, isClosed) {
    if (typeof schema !== 'object' || schema === null) return true;
    if (schema.$ref !== undefined) return definitions.refer(schema.$ref, isClosed);
    const { properties, items, additionalProperties, required, enum: values, nullable, type } = schema;
    const parts = ['allOf', 'oneOf', 'anyOf'].filter((name) => Array.isArray(schema[name]));
    const made = {
      ...(typeof type === 'string' && type !== 'file' && { type: nullable === true ? [type, 'null'] : type }),
      ...(Array.isArray(type) && { type }),
      ...(Array.isArray(required) && { required }),
      ...(values !== undefined && nullable !== true && { enum: values }),
      ...Object.fromEntries(
        ['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum']
          .filter((name) => name in schema)
          .map((name) => [name, schema[name]]),
      ),
      ...(properties !== undefined && { properties: all(properties) }),
      ...(items !== undefined && { items: converted(items, true) }),
      ...(additionalProperties !== undefined && {
        additionalProperties: additionalProperties === false ? false : converted(additionalProperties, true),
      }),
      // Which of several forms it is, is often not told.
      ...Object.fromEntries(
        parts.map((name) => [name === 'oneOf' ? 'anyOf' : name, schema[name].map((part) => converted(part, false))]),
      ),
    };
    // Without names, it may have any.
    const isOpen = additionalProperties !== undefined || Object.keys(properties ?? {}).length + parts.length === 0;
    return isClosed && !isOpen ? closed(made) : made;
  }
  return converted;
}

/** OpenAPI 3 and Swagger 2. */
const openApi = {
  isOf: (document) => 'openapi' in document || 'swagger' in document,
  schemaOf(document, operation) {
    const [method, path] = operation.split(' ');
    const found = document.paths[path]?.[method.toLowerCase()];
    if (found === undefined) throw new Error(`There is no ${operation}.`);
    const at = (ref) =>
      ref
        .slice(2)
        .split('/')
        .reduce((value, key) => value[key.replaceAll('~1', '/').replaceAll('~0', '~')], document);
    const resolved = (value) => (value?.$ref === undefined ? value : resolved(at(value.$ref)));
    const definitions = new Definitions((ref, isClosed) => converted(at(ref), isClosed));
    const converted = convertedBy(definitions);
    const parameters = [...(document.paths[path].parameters ?? []), ...(found.parameters ?? [])].map(resolved);
    const fields = (place) => {
      const those = parameters.filter(({ in: where }) => where === place);
      const properties = Object.fromEntries(
        those.map(({ name, schema, ...rest }) => [name, converted(schema ?? rest, true)]),
      );
      // Of a parameter, `required` is a word of its own.
      for (const value of Object.values(properties)) if (typeof value.required === 'boolean') delete value.required;
      return {
        type: 'object',
        properties,
        required: those.filter(({ required }) => required === true).map(({ name }) => name),
        additionalProperties: false,
      };
    };
    const content = resolved(found.requestBody)?.content;
    const inBody = parameters.find(({ in: where }) => where === 'body')?.schema;
    const given = content === undefined ? inBody : Object.values(content)[0].schema;
    const body = given === undefined ? fields('formData') : converted(given, true);
    return { schema: { type: 'object', properties: { body, query: fields('query') } }, definitions: definitions.all };
  },
};

/** Google's discovery documents. */
const discovery = {
  isOf: ({ kind }) => kind === 'discovery#restDescription',
  schemaOf({ schemas }, name) {
    const definitions = new Definitions((one) => converted(schemas[one]));
    function converted({ $ref, type, properties, items, additionalProperties, enum: values }) {
      if ($ref !== undefined) return definitions.refer($ref);
      return {
        ...(type !== undefined && type !== 'any' && { type }),
        ...(values !== undefined && { enum: values }),
        ...(items !== undefined && { items: converted(items) }),
        ...(properties !== undefined && {
          properties: Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, converted(one)])),
          additionalProperties: false,
        }),
        ...(additionalProperties !== undefined && { additionalProperties: converted(additionalProperties) }),
      };
    }
    return { schema: { type: 'object', properties: { body: definitions.refer(name) } }, definitions: definitions.all };
  },
};

/** Service models of AWS. */
const aws = {
  isOf: (document) => 'shapes' in document,
  schemaOf({ operations, shapes, metadata }, operation) {
    const definitions = new Definitions((name) => converted(shapes[name]));
    function converted({ type, members = {}, required, member, value, enum: values, max, min }) {
      if (type === 'structure') {
        const inBody = Object.entries(members).filter(([, { location }]) => location === undefined);
        return {
          type: 'object',
          properties: Object.fromEntries(inBody.map(([key, { shape }]) => [key, definitions.refer(shape)])),
          additionalProperties: false,
          ...(required && { required }),
        };
      }
      if (type === 'list') return { type: 'array', items: definitions.refer(member.shape) };
      if (type === 'map') return { type: 'object', additionalProperties: definitions.refer(value.shape) };
      if (type === 'string')
        return {
          type: 'string',
          ...(values && { enum: values }),
          ...(max && { maxLength: max }),
          ...(min && { minLength: min }),
        };
      return type === 'boolean'
        ? { type }
        : ['integer', 'long', 'float', 'double'].includes(type)
          ? { type: 'number' }
          : {};
    }
    const input = converted(shapes[operations[operation].input.shape]);
    if (metadata.protocol === 'query')
      Object.assign(input.properties, { Action: { const: operation }, Version: { const: metadata.apiVersion } });
    return { schema: { type: 'object', properties: { body: input } }, definitions: definitions.all };
  },
};

/** The list of methods and types of Telegram. */
const telegram = {
  isOf: (document) => 'methods' in document,
  schemaOf({ methods, types }, operation) {
    const basic = {
      String: 'string',
      Integer: 'integer',
      Boolean: 'boolean',
      True: 'boolean',
      Float: 'number',
      'Float number': 'number',
    };
    const definitions = new Definitions((name) =>
      types[name]?.fields === undefined ? {} : object(types[name].fields),
    );
    const typed = (name) => {
      if (name.startsWith('Array of ')) return { type: 'array', items: typed(name.slice('Array of '.length)) };
      return name in basic ? { type: basic[name] } : definitions.refer(name);
    };
    const object = (fields) => ({
      type: 'object',
      properties: Object.fromEntries(fields.map(({ name, types: names }) => [name, { anyOf: names.map(typed) }])),
      required: fields.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: false,
    });
    return {
      schema: { type: 'object', properties: { body: object(methods[operation].fields) } },
      definitions: definitions.all,
    };
  },
};

/** Kinds of specifications: whether a document is one, and the schema of an operation in it. */
export const FORMS = [openApi, discovery, aws, telegram];
