import { DEFINITION_EXTENSION, SCOPE_EXTENSION, scopeOfMethod, SUBSCRIBER_SECURITY } from '#libs/http-kit';
import type { ApiSchema, MediaType, Operation, Parameter, Placed } from './openapi.types.js';
import { lengthsOfItems } from './properties.js';
import { ANY_RECORD, BODIES, PATH_PARAMETERS, WORKFLOW_BY_EITHER, WORKFLOW_BY_ID } from './story.js';

const OLDER = 'ByOlderPath';

/** It declares security, but none is required. */
export function isPublic({ security }: Operation): boolean {
  return security?.every((scheme) => Object.keys(Object(scheme) as object).length === 0) === true;
}

export function isForSubscribers({ security = [] }: Operation): boolean {
  return security.some((scheme) => Object.hasOwn(Object(scheme) as object, SUBSCRIBER_SECURITY));
}

/**
 * Nest numbers the operations of a controller with several paths; the first path gets the plain name, the others are
 * older.
 */
export function nameOperations(operations: readonly Placed[]): void {
  const taken = new Set<string>();
  for (const { operation } of operations) {
    if (operation.operationId === undefined) continue;
    const name = operation.operationId.replace(/\[\d+\]$/, '');
    const isOlder = taken.has(name);
    operation.operationId = isOlder ? `${name}${OLDER}` : name;
    if (isOlder) operation.deprecated = true;
    taken.add(name);
  }
}

/** Names the replacement of each older path. */
export function explainOlder(operations: readonly Placed[]): void {
  const pathOf = new Map(operations.map(({ operation, path, method }) => [operation.operationId, `${method} ${path}`]));
  for (const { operation } of operations) {
    if (operation.operationId?.endsWith(OLDER) !== true) continue;
    const [method = '', path = ''] = (pathOf.get(operation.operationId.slice(0, -OLDER.length)) ?? '').split(' ');
    operation.description = `Older path of \`${method.toUpperCase()} ${path}\`, kept for existing clients.`;
  }
}

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the request safe to retry: for 24 hours, the same request with the same key returns the first response.',
  schema: { type: 'string', maxLength: 255 },
};

export function takesIdempotencyKey({ parameters = [] }: Operation): boolean {
  return parameters.includes(IDEMPOTENCY_KEY);
}

/** Every POST and PATCH with an API key accepts the header. */
export function addIdempotencyKey({ method, operation }: Placed): void {
  if ((method !== 'post' && method !== 'patch') || isPublic(operation) || isForSubscribers(operation)) return;
  operation.parameters = [...(operation.parameters ?? []), IDEMPOTENCY_KEY];
}

/** Controllers declare it, also for what only reads or sends. */
export function keepDefinition({ method, operation }: Placed): void {
  if (method === 'get' || operation[SCOPE_EXTENSION] === 'trigger') delete operation[DEFINITION_EXTENSION];
}

/** To the description, and as an extension for programs. */
export function addScope({ method, operation }: Placed): void {
  const isOpen = isPublic(operation);
  if (isOpen) operation.security = [];
  if (!isOpen && !isForSubscribers(operation)) operation[SCOPE_EXTENSION] ??= scopeOfMethod(method);
  operation.description = [operation.description, authorizationOf(operation, isOpen)].filter(Boolean).join('\n\n');
}

function authorizationOf({ [SCOPE_EXTENSION]: scope }: Operation, isOpen: boolean): string {
  if (isOpen) return 'Requires no API key.';
  return scope === undefined
    ? 'Requires the session token of a subscriber.'
    : `Requires an API key with the scope \`${scope}\`.`;
}

export function completeParameters({ operation }: Placed): void {
  operation.parameters?.forEach((parameter) => {
    if (parameter.in === 'path') completePathParameter(parameter);
    if (parameter.schema !== undefined) lengthsOfItems(parameter.schema);
    if (parameter.in === 'query' && parameter.required !== true) emptyOptional(parameter);
  });
}

/** Falls back to a parameter of that name in another operation. */
export function pathExample({ parameters = [] }: Operation, name: string): string {
  const own = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name);
  const { example } = own ?? (name === 'workflowId' ? WORKFLOW_BY_EITHER : PATH_PARAMETERS[name]) ?? {};
  return typeof example === 'string' || typeof example === 'number' ? String(example) : `{${name}}`;
}

function completePathParameter(parameter: Parameter): void {
  const byWorkflow = parameter.schema?.['pattern'] === undefined ? WORKFLOW_BY_EITHER : WORKFLOW_BY_ID;
  const isRecord = parameter.schema?.['pattern'] !== undefined;
  const named = PATH_PARAMETERS[parameter.name] ?? (isRecord ? ANY_RECORD : undefined);
  const known = parameter.name === 'workflowId' ? byWorkflow : named;
  if (known === undefined) return;
  parameter.description ??= known.description;
  parameter.example = parameter.schema?.['type'] === 'integer' ? Number(known.example) : known.example;
  if (parameter.schema !== undefined) delete parameter.schema.example;
}

/** Swagger UI sends examples of optional parameters, and filtering by all of them finds nothing. */
function emptyOptional(parameter: Parameter): void {
  const { schema } = parameter;
  const example = parameter.example ?? schema?.example;
  delete parameter.example;
  if (schema !== undefined) delete schema.example;
  if (example === undefined || schema?.['default'] !== undefined) return;
  const shown = (Array.isArray(example) ? example : [example]).map((one) => `\`${String(one)}\``).join(', ');
  parameter.description = `${parameter.description ?? ''} Example: ${shown}.`.trim();
}

/** From the story. Required fields are always present. */
export function addBodyExamples({ operation }: Placed, schemas: Readonly<Record<string, ApiSchema>>): void {
  const examples = BODIES[operation.operationId ?? ''] ?? BODIES[(operation.operationId ?? '').replace(OLDER, '')];
  const content: MediaType | undefined = operation.requestBody?.content?.['application/json'];
  if (examples === undefined || content === undefined) return;
  const required = requiredExamples(content.schema, schemas);
  content.examples = Object.fromEntries(
    Object.entries(examples).map(([summary, value]) => [
      nameOf(summary),
      { summary, value: { ...required, ...value } },
    ]),
  );
}

function requiredExamples(schema: ApiSchema | undefined, schemas: Readonly<Record<string, ApiSchema>>): object {
  const name = schema?.$ref?.split('/').at(-1) ?? '';
  const { required = [], properties = {} } = schemas[name] ?? {};
  const fields = (required as string[]).filter((field) => properties[field]?.example !== undefined);
  return Object.fromEntries(fields.map((field) => [field, properties[field]?.example]));
}

function nameOf(summary: string): string {
  return summary
    .toLowerCase()
    .replace(/[^a-z]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** The tag under which Swagger UI shows the operation. */
export function tagOf(operation: Operation): string {
  return operation.tags?.[0] ?? '';
}
