import { z } from 'zod';
import { isObject, type RawObject } from './declare.js';
import { described, type Description, documentOf } from './document.js';

/** What an editor that knows nothing of a value needs to ask for it. */
export interface Form {
  readonly title: string;
  /** For people who do not program. */
  readonly help: string;
  /** Words for the values of an enumeration. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Where a plain input is not right. */
  readonly control?: FormControl;
  /** It is asked for only if these members of the same object have these values. */
  readonly when?: FormConditions;
  /** It is not asked for if they have these. */
  readonly unless?: FormConditions;
  /** It must be filled in where it is asked for. */
  readonly required?: true;
  /** What counts where it is absent. */
  readonly default?: FormValue;
  /** What an editor begins with. */
  readonly initial?: unknown;
  /** Any other text, where `labels` are for those that are known. */
  readonly other?: OtherText;
  /** What is different where other members have certain values. The first one counts. */
  readonly cases?: readonly FormCase[];
}

type FormValue = string | number | boolean;

/** Members that must have a value, or one of several. */
type FormConditions = Readonly<Record<string, FormValue | readonly FormValue[]>>;

interface OtherText {
  /** As one of the choices. */
  readonly choice: string;
  /** Of the input for it. */
  readonly title: string;
  readonly help: string;
  readonly initial: string;
}

interface FormCase extends Partial<Pick<Form, 'title' | 'help' | 'initial'>> {
  readonly when: FormConditions;
  /** Of the enumeration, those that can be chosen. */
  readonly values?: readonly string[];
}

export type FormControl =
  | 'duration'
  | 'cron'
  | 'schedule'
  | 'timed'
  | 'code'
  | 'html'
  | 'email'
  | 'conditions'
  | 'path'
  | 'url'
  | 'json'
  | 'feed'
  | 'layout'
  | 'workflow'
  | 'step';

const forms = new WeakMap<object, Form>();

/** Describes a member for the document and for forms. */
export function inForm<T extends z.ZodType>(schema: T, form: Form, description: Partial<Description> = {}): T {
  const copy = described(schema, { description: form.help, ...description });
  forms.set(copy, form);
  return copy;
}

function formOf(schema: z.ZodType): Form | undefined {
  return forms.get(schema);
}

/** JSON Schema, draft 2020-12, of an object with these members, with what forms need of each. */
export function formSchemaOf(shape: z.ZodRawShape): RawObject {
  const members = Object.entries(shape) as [string, z.ZodType][];
  const required = members.flatMap(([name, member]) => (isNeeded(member) ? [name] : []));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: Object.fromEntries(members.map(([name, member]) => [name, memberSchema(member)])),
    ...(required.length > 0 && { required }),
  };
}

function isNeeded(member: z.ZodType): boolean {
  const form = formOf(member);
  if (form?.when !== undefined || form?.unless !== undefined) return false;
  return form?.required === true || !(member instanceof z.ZodOptional || member instanceof z.ZodNullable);
}

function memberSchema(schema: z.ZodType): RawObject {
  const {
    $schema: _schema,
    $defs = {},
    ...json
  } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const documented = documentOf(zodSchema);
      if (documented !== undefined) {
        const { id: _id, ...meta } = z.globalRegistry.get(zodSchema) ?? {};
        for (const key of Object.keys(jsonSchema)) delete (jsonSchema as RawObject)[key];
        Object.assign(jsonSchema, memberSchema(documented), meta);
      }
      const form = forms.get(zodSchema);
      if (form !== undefined) Object.assign(jsonSchema, hintsOf(form));
    },
  }) as RawObject & { $defs?: RawObject };
  return plain(json, $defs) as RawObject;
}

/** Members that are undefined are no part of JSON. */
function hintsOf({ default: fallback, labels, control, when, unless, other, cases, ...texts }: Form): RawObject {
  return {
    ...textsOf(texts),
    ...(fallback !== undefined && { default: fallback }),
    'x-labels': labels,
    'x-control': control,
    'x-when': when,
    'x-unless': unless,
    'x-other': other && { choice: other.choice, ...textsOf(other) },
    'x-cases': cases?.map(({ when: holds, values, ...differing }) => ({
      'x-when': holds,
      enum: values,
      ...textsOf(differing),
    })),
  };
}

function textsOf({ title, help, initial }: Partial<Form>): RawObject {
  return { title, description: help, 'x-initial': initial };
}

/** Without references, ids and null, which stands for absent. */
function plain(value: unknown, definitions: RawObject): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => plain(item, definitions));
  if (!isObject(value)) return value;
  const { $ref, id: _id, anyOf, additionalProperties, example, ...rest } = value;
  const own: RawObject = Object.fromEntries(
    Object.entries(rest).map(([key, member]) => [key, isSample(key) ? member : ofKey(key, member, definitions)]),
  );
  if (example !== undefined) own['examples'] ??= [example];
  const { type, enum: values } = rest;
  if (Array.isArray(type)) own['type'] = type.find((one) => one !== 'null') as unknown;
  if (Array.isArray(values)) own['enum'] = values.filter((one) => one !== null);
  if (isObject(additionalProperties) && Object.keys(additionalProperties).length > 0)
    own['additionalProperties'] = plain(additionalProperties, definitions);
  if (typeof $ref === 'string') {
    const target = definitions[$ref.split('/').at(-1) ?? ''];
    return { ...(plain(target ?? {}, definitions) as RawObject), ...own };
  }
  if (!Array.isArray(anyOf)) return own;
  const kept = (anyOf as unknown[]).filter((one) => !isObject(one) || one['type'] !== 'null');
  const [only] = kept;
  if (kept.length === 1) return { ...(plain(only, definitions) as RawObject), ...own };
  return { ...own, anyOf: plain(kept, definitions) };
}

function ofKey(key: string, value: unknown, definitions: RawObject): unknown {
  if (key !== 'properties' || !isObject(value)) return plain(value, definitions);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member, definitions)]));
}

function isSample(key: string): boolean {
  return key === 'default' || key === 'examples' || key.startsWith('x-');
}
