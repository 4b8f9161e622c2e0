import { nearestName } from '#libs/common';
import { isObject } from '#libs/validation';

export interface UnknownField {
  /** With dots, such as `steps.0.template.subjct`. */
  readonly path: string;
  /** The field that was probably meant. */
  readonly nearest?: string;
}

/** What is read of a JSON schema of files. */
interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: unknown;
  readonly items?: JsonSchema;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
}

const DEFINITION = '#/definitions/';

/** The fields that a definition has, and that the schema of its kind does not know where they are. */
export function unknownFields(definition: object, schema: object): UnknownField[] {
  const { definitions = {} } = schema as JsonSchema;
  const found: UnknownField[] = [];

  function look(value: unknown, sent: JsonSchema, path: string): void {
    if (typeof value !== 'object' || value === null) return;
    const known = schemaFor(value, sent);
    if (Array.isArray(value)) {
      const { items } = known ?? {};
      if (items) value.forEach((entry, index) => look(entry, items, `${path}${index}.`));
      return;
    }
    const { properties, additionalProperties } = known ?? {};
    if (properties === undefined) return;
    for (const [name, member] of Object.entries(value)) {
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (own) look(member, own, `${path}${name}.`);
      else if (additionalProperties === false) found.push(unknownField(path, name, Object.keys(properties)));
    }
  }

  /** Of several forms, the one for the value; undefined if none or several can be meant. */
  function schemaFor(value: object, sent: JsonSchema): JsonSchema | undefined {
    if (sent.$ref !== undefined) {
      const known = definitions[sent.$ref.slice(DEFINITION.length)];
      return known && schemaFor(value, known);
    }
    const forms = sent.allOf ?? sent.anyOf ?? sent.oneOf;
    if (forms === undefined) return fits(value, sent) ? sent : undefined;
    const meant = forms.map((form) => schemaFor(value, form)).filter((form) => form !== undefined);
    return meant.length === 1 ? meant[0] : undefined;
  }

  look(definition, schema, '');
  return found;
}

/** By the type of the value, and by what its member `type` says. */
function fits(value: object, { type, properties }: JsonSchema): boolean {
  const types = type === undefined ? [] : [type].flat();
  if (types.length > 0 && !types.includes(Array.isArray(value) ? 'array' : 'object')) return false;
  const kinds = properties?.['type']?.enum;
  return kinds === undefined || !isObject(value) || !('type' in value) || kinds.includes(value['type']);
}

function unknownField(path: string, name: string, names: readonly string[]): UnknownField {
  const nearest = nearestName(name, names);
  return { path: `${path}${name}`, ...(nearest !== undefined && { nearest }) };
}
