import { readFileSync } from 'node:fs';

export interface Route {
  /** Upper case. */
  readonly method: string;
  /** With parameters as `:name`. */
  readonly path: string;
}

export interface Schema {
  default?: unknown;
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  maxLength?: number;
  description?: string;
  examples?: unknown[];
  additionalProperties?: boolean | Schema;
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  enum?: unknown[];
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  required?: string[];
  properties?: Record<string, Schema>;
}

export interface Operation {
  operationId: string;
  summary?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  deprecated?: boolean;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, MediaType | undefined> };
  responses: Record<string, { description: string; content?: Record<string, MediaType | undefined> }>;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema?: Schema;
}

export interface MediaType {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { summary?: string; value: unknown }>;
}

export interface Document {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Operation['responses'][string]>;
    parameters: Record<string, Parameter>;
  };
}

/** The committed document, because comments become part of it in the build only. Shared responses and parameters are put in. */
export function readDocument(): Document {
  const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as Document;
  const { responses, parameters } = document.components;
  for (const { operation } of operationsOf(document)) {
    operation.responses = Object.fromEntries(
      Object.entries(operation.responses).map(([status, answer]) => [status, shared(responses, answer)]),
    );
    operation.parameters = operation.parameters?.map((parameter) => shared(parameters, parameter));
  }
  return document;
}

/** What a reference names; anything else as it is. */
function shared<T extends object>(components: Readonly<Record<string, T>>, part: T): T {
  const name = '$ref' in part ? String(part.$ref).split('/').at(-1) : undefined;
  if (name === undefined) return part;
  const found = components[name];
  if (found === undefined) throw new Error(`The document has no component ${name}.`);
  return found;
}

/** The operations of the OpenAPI document, flat. Paths have their parameters as `{name}`. */
export function operationsOf(document: Document): (Route & { operation: Operation })[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/**
 * The path of a route in the document. Paths that differ by the name of a parameter only have one name for it there.
 * @param path with parameters as `:name`
 */
export function documentedPath(path: string): string {
  const named = path.replace(/:([A-Za-z]\w*)/g, '{$1}');
  return named.replace(/((?:widgets|\})\/preferences)\/\{(?:level|workflowId)\}$/, '$1/{levelOrWorkflowId}');
}

/** Follows a reference; schemas of one `allOf` part are that part, and those of one `oneOf` part and null, too. */
export function resolve(document: Document, schema: Schema | undefined): Schema {
  if (schema === undefined) return {};
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return resolve(document, document.components.schemas[name]);
  const [only, ...others] = schema.oneOf?.filter(({ type }) => type !== 'null') ?? schema.allOf ?? [];
  return only !== undefined && others.length === 0 ? resolve(document, only) : schema;
}

/** Whether a route takes the session tokens of subscribers instead of API keys. */
export function isForSubscribers(path: string): boolean {
  return /^\/v1\/(widgets|inbox)\//.test(path);
}

/** A path with every parameter filled in. */
export function fill(path: string, value = '0123456789abcdef01234567'): string {
  return path.replace('{version}', '0').replace(/\{[^}]+\}|:[A-Za-z]\w*/g, encodeURIComponent(value));
}
