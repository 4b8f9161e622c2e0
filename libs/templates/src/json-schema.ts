import { TemplateError } from './template-error.js';

const MAX_KNOWN = 50;

interface Validator {
  (value: unknown): boolean;
  errors?: readonly { readonly instancePath: string; readonly message?: string }[] | null;
}

const known = new Map<string, Validator>();

/**
 * Only for threads: a schema may have expressions that take for ever.
 * @returns the first fault of a value
 * @throws {TemplateError} if it is no JSON Schema
 */
export async function schemaFault(schema: string, value: string): Promise<string | undefined> {
  const validate = known.get(schema) ?? (await compiled(schema));
  if (validate(JSON.parse(value))) return undefined;
  const [first] = validate.errors ?? [];
  return first === undefined ? 'it is refused' : `${first.instancePath || 'it'} ${first.message ?? 'is refused'}`;
}

async function compiled(text: string): Promise<Validator> {
  const { Ajv } = await import('ajv');
  const { $schema: _dialect, $id: _id, ...schema } = JSON.parse(text) as Record<string, unknown>;
  // Formats and unknown words are annotations.
  const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });
  let validate: Validator;
  try {
    validate = ajv.compile(schema);
  } catch (error) {
    throw new TemplateError(error instanceof Error ? error.message : 'it cannot be read');
  }
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, validate);
  return validate;
}
