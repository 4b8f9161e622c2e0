import type { DefinitionKind, KeyScope } from '#libs/common';
import type { DEFINITION_EXTENSION, NO_FACTOR_EXTENSION, SCOPE_EXTENSION } from '#libs/http-kit';

/** Only the members that are completed after Nest has generated the document. */
export interface ApiSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  example?: unknown;
  nullable?: boolean;
  minLength?: number;
  maxLength?: number;
  items?: ApiSchema;
  allOf?: ApiSchema[];
  oneOf?: ApiSchema[];
  anyOf?: ApiSchema[];
  properties?: Record<string, ApiSchema>;
  additionalProperties?: boolean | ApiSchema;
  [key: string]: unknown;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema?: ApiSchema;
}

export interface MediaType {
  schema?: ApiSchema;
  example?: unknown;
  examples?: Record<string, { summary?: string; value: unknown }>;
}

export interface Answer {
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, MediaType>;
}

/** `{name}` in its texts stands for the example of a path parameter. */
export interface ErrorExample {
  /** Name of the example; default: the code. */
  readonly name?: string;
  readonly statusCode: number;
  readonly code: string;
  readonly message: string | readonly string[];
}

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  deprecated?: boolean;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { description?: string; required?: boolean; content?: Record<string, MediaType> };
  responses: Record<string, Answer>;
  /** Absent if no scope is needed. */
  [SCOPE_EXTENSION]?: KeyScope;
  [NO_FACTOR_EXTENSION]?: true;
  /** Absent if no definition changes. */
  [DEFINITION_EXTENSION]?: DefinitionKind;
}

export interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}
