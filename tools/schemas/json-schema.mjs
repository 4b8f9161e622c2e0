/** The kinds of files, and the class of the API that each is sent as. */
export const KINDS = {
  workflow: 'WorkflowDefinitionDto',
  layout: 'LayoutDefinitionDto',
  feed: 'CreateFeedDto',
  'notification-group': 'CreateNotificationGroupDto',
  'workflow-override': 'WorkflowOverrideDefinitionDto',
};

const REFERENCE = /^#\/components\/schemas\/(.+)$/;

/**
 * JSON Schema (draft 7) of a file.
 * @param document the OpenAPI document
 * @param kind a key of {@link KINDS}
 */
export function fileSchema(document, kind) {
  const { schemas } = document.components;
  const root = KINDS[kind];
  const definitions = {};
  const wanted = [root];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (definitions[name] !== undefined) continue;
    definitions[name] = converted(schemas[name], (found) => wanted.push(found));
  }
  const { [root]: own, ...rest } = definitions;
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `Herald: ${kind.replace('-', ' ')}`,
    ...own,
    // Editors of JSON files find the schema by this member.
    properties: { $schema: { type: 'string' }, ...own.properties },
    ...(Object.keys(rest).length > 0 && { definitions: rest }),
  };
}

/** From the vocabulary of OpenAPI 3.0. Objects are closed unless they say otherwise; what is optional may be null. */
function converted(schema, refer) {
  const { $ref, nullable, example, properties, additionalProperties, allOf, ...rest } = schema;
  const { items, oneOf, type, description, ...plain } = rest;
  delete plain.discriminator; // the constant types of the alternatives say the same
  if ($ref !== undefined) return { $ref: target($ref, refer) };
  const [parent, ...others] = allOf ?? [];
  if (others.length > 0) throw new Error('A file cannot have a schema with several parents.');
  return {
    ...(description !== undefined && { description }),
    ...(parent && { allOf: [converted(parent, refer)] }),
    // A reference already says what the value is.
    ...(type !== undefined && !parent && { type: nullable === true ? [type, 'null'] : type }),
    ...plain,
    ...(plain.enum && nullable === true && { enum: [...plain.enum, null] }),
    ...(example !== undefined && { examples: [example] }),
    ...(oneOf && { oneOf: oneOf.map((one) => converted(one, refer)) }),
    ...(items && { items: converted(items, refer) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [
          name,
          schema.required?.includes(name) ? converted(member, refer) : orNull(converted(member, refer)),
        ]),
      ),
      additionalProperties: additionalProperties === undefined ? false : additionalProperties,
    }),
    ...(!properties && additionalProperties !== undefined && { additionalProperties }),
  };
}

function orNull(schema) {
  const { type, enum: values, allOf, oneOf, description, examples, default: byDefault, ...rest } = schema;
  const shown = {
    ...(description !== undefined && { description }),
    ...(byDefault !== undefined && { default: byDefault }),
    ...(examples && { examples }),
  };
  if (allOf || oneOf || schema.$ref) {
    return { ...shown, anyOf: [{ ...rest, ...(allOf && { allOf }), ...(oneOf && { oneOf }) }, { type: 'null' }] };
  }
  return {
    ...shown,
    ...(type !== undefined && { type: [...new Set([type, 'null'].flat())] }),
    ...(values && { enum: [...new Set([...values, null])] }),
    ...rest,
  };
}

function target(reference, refer) {
  const name = REFERENCE.exec(reference)?.[1];
  if (name === undefined) throw new Error(`${reference} is no schema of the document.`);
  refer(name);
  return `#/definitions/${name}`;
}
