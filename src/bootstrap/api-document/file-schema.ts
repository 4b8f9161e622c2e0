import { OF_PLUGIN } from '#libs/validation';
import type { ApiSchema } from './openapi.types.js';

/** Kinds of files, with the component that each is sent as. */
export const FILE_KINDS = {
  workflow: 'WorkflowDefinitionDto',
  layout: 'LayoutDefinitionDto',
  translation: 'TranslationDefinitionDto',
  feed: 'CreateFeedDto',
  'notification-group': 'CreateNotificationGroupDto',
  'workflow-override': 'WorkflowOverrideDefinitionDto',
} as const;
export type FileKind = keyof typeof FILE_KINDS;

type Refer = (name: string) => void;

const REFERENCE = /^#\/components\/schemas\/(.+)$/;

/** JSON Schema (draft 7). @param schemas components of the OpenAPI document */
export function fileSchema(schemas: Readonly<Record<string, ApiSchema>>, kind: FileKind): ApiSchema {
  const root = FILE_KINDS[kind];
  const definitions = new Map<string, ApiSchema>();
  const wanted: string[] = [root];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    const component = schemas[name];
    if (component === undefined) throw new Error(`The document has no schema ${name}.`);
    if (!definitions.has(name))
      definitions.set(
        name,
        converted(component, (found) => void wanted.push(found)),
      );
  }
  const own = definitions.get(root);
  definitions.delete(root);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `Herald: ${kind.replace('-', ' ')}`,
    ...own,
    // Editors of JSON files find the schema by this member.
    properties: { $schema: { type: 'string' }, ...own?.properties },
    ...(definitions.size > 0 && { definitions: Object.fromEntries(definitions) }),
  };
}

/**
 * Objects with declared members are closed, even where the API keeps additional ones: in a file they are misspellings.
 * Optional members may be null.
 */
function converted(schema: ApiSchema, refer: Refer): ApiSchema {
  if (schema[OF_PLUGIN] !== undefined) return ofPlugin(schema);
  const { $ref, nullable, example, properties, additionalProperties, allOf, ...rest } = schema;
  const { items, oneOf, type, description, discriminator: _discriminator, ...plain } = rest;
  if ($ref !== undefined) return { $ref: target($ref, refer) };
  const [parent, ...others] = allOf ?? [];
  if (others.length > 0) throw new Error('A file cannot have a schema with several parents.');
  const values = plain['enum'] as readonly unknown[] | undefined;
  return {
    ...(description !== undefined && { description }),
    ...(parent && { allOf: [converted(parent, refer)] }),
    // A reference already has the type.
    ...(type !== undefined && !parent && { type: nullable === true ? [type, 'null'].flat() : type }),
    ...plain,
    ...(values && nullable === true && { enum: [...values, null] }),
    ...(example !== undefined && { examples: [example] }),
    ...(oneOf && { oneOf: oneOf.map((one) => converted(one, refer)) }),
    ...(items && { items: converted(items, refer) }),
    ...(additionalProperties !== undefined && { additionalProperties }),
    ...(properties && { properties: members(schema, properties, refer), additionalProperties: false }),
  };
}

function members(schema: ApiSchema, properties: Record<string, ApiSchema>, refer: Refer): Record<string, ApiSchema> {
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.fromEntries(
    Object.entries(properties).map(([name, member]) => {
      const own = converted(member, refer);
      return [name, required.includes(name) || member[OF_PLUGIN] !== undefined ? own : orNull(own)];
    }),
  );
}

/** A plugin decides about null and other members. */
function ofPlugin({ [OF_PLUGIN]: _plugin, ...schema }: ApiSchema): ApiSchema {
  return schema;
}

function orNull(schema: ApiSchema): ApiSchema {
  const { type, enum: values, allOf, oneOf, description, examples, default: byDefault, ...rest } = schema;
  const shown = {
    ...(description !== undefined && { description }),
    ...(byDefault !== undefined && { default: byDefault }),
    ...(examples !== undefined && { examples }),
  };
  if (allOf || oneOf || schema.$ref) {
    return { ...shown, anyOf: [{ ...rest, ...(allOf && { allOf }), ...(oneOf && { oneOf }) }, { type: 'null' }] };
  }
  return {
    ...shown,
    ...(type !== undefined && { type: [...new Set([type, 'null'].flat())] }),
    ...(Array.isArray(values) && { enum: [...new Set([...(values as unknown[]), null])] }),
    ...rest,
  };
}

function target(reference: string, refer: Refer): string {
  const name = REFERENCE.exec(reference)?.[1];
  if (name === undefined) throw new Error(`${reference} is no schema of the document.`);
  refer(name);
  return `#/definitions/${name}`;
}
