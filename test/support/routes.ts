import type { INestApplication } from '@nestjs/common';
import { Pipeline } from '#libs/http-kit';

export interface Route {
  /** Upper case. */
  readonly method: string;
  /** With parameters as `:name`. */
  readonly path: string;
}

/** What the router really serves, hidden routes included. HEAD goes with every GET. */
export function routesOf(app: INestApplication): Route[] {
  return app
    .get(Pipeline)
    .routes.filter(({ method }) => method !== 'HEAD')
    .map(({ method, path }) => ({ method, path }));
}

export interface Schema {
  default?: unknown;
  $ref?: string;
  type?: string;
  format?: string;
  pattern?: string;
  description?: string;
  example?: unknown;
  nullable?: boolean;
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
  examples?: Record<string, { summary: string; value: unknown }>;
}

export interface Document {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** The operations of the OpenAPI document, flat. Paths have their parameters as `{name}`. */
export function operationsOf(document: Document): (Route & { operation: Operation })[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** Follows a reference; schemas of one `allOf` part are that part. */
export function resolve(document: Document, schema: Schema | undefined): Schema {
  if (schema === undefined) return {};
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return resolve(document, document.components.schemas[name]);
  return schema.allOf?.length === 1 ? resolve(document, schema.allOf[0]) : schema;
}

/** Whether a route takes the session tokens of subscribers instead of API keys. */
export function isForSubscribers(path: string): boolean {
  return /^\/v1\/(widgets|inbox)\//.test(path);
}

/** A path with every parameter filled in. */
export function fill(path: string, value = '0123456789abcdef01234567'): string {
  return path.replace(/\{[^}]+\}|:[A-Za-z]\w*/g, encodeURIComponent(value));
}
