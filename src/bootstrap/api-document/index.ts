import type { OpenAPIObject } from '@nestjs/swagger';
import { openApiComponents } from '#libs/validation';
import type { Portions } from '#libs/worker-pool';
import { TAGS } from './about.js';
import { completeErrors } from './answers.js';
import type { ApiSchema, Operation, Placed } from './openapi.types.js';
import {
  addBodyExamples,
  addIdempotencyKey,
  addScope,
  completeParameters,
  explainOlder,
  keepDefinition,
  nameOperations,
  tagOf,
} from './operations.js';
import { completeProperties } from './properties.js';
import { publish } from './publish.js';
import { byName } from './shared-parts.js';

export { DESCRIPTION, docsLinks, SECURITY_DESCRIPTION, SUBSCRIBER_DESCRIPTION, TAGS } from './about.js';
export { FILE_KINDS, type FileKind, fileSchema } from './file-schema.js';
export type { ApiSchema } from './openapi.types.js';
export { yamlInPortions } from './yaml.js';

/**
 * Adds everything that operations share or must agree on: order, consistent examples, error responses, common fields.
 * Publishes OpenAPI 3.1 and pauses between steps.
 */
export function* completeDocument(document: OpenAPIObject): Portions<OpenAPIObject> {
  document.paths = inOrderOfTags(document.paths);
  const operations = operationsOf(document.paths);
  yield;
  const schemas = byName({ ...document.components?.schemas, ...openApiComponents() } as Record<string, ApiSchema>);
  yield;
  nameOperations(operations);
  explainOlder(operations);
  for (const placed of operations) {
    addIdempotencyKey(placed);
    completeParameters(placed);
    addBodyExamples(placed, schemas);
    addScope(placed);
    keepDefinition(placed);
    completeErrors(placed);
    yield;
  }
  completeProperties(schemas);
  yield;
  return yield* publish({ document, operations: operations.map(({ operation }) => operation), schemas });
}

function operationsOf(paths: OpenAPIObject['paths']): Placed[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations as Record<string, Operation>)
      .filter(([, operation]) => typeof operation === 'object' && 'responses' in operation)
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

/** Stable; paths without a listed tag keep their order. */
function inOrderOfTags(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  const rank = (item: unknown): number => {
    const [first] = Object.values(item as Record<string, Operation>);
    const place = TAGS.findIndex(([name]) => first !== undefined && name === tagOf(first));
    return place < 0 ? TAGS.length : place;
  };
  return Object.fromEntries(Object.entries(paths).sort(([, a], [, b]) => rank(a) - rank(b)));
}
