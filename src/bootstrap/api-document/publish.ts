import type { OpenAPIObject } from '@nestjs/swagger';
import type { Portions } from '#libs/worker-pool';
import { joinEquivalentPaths } from './equivalent-paths.js';
import { convertSchemaOf, mapValues, toJsonSchema } from './json-schema.js';
import type { ApiSchema, MediaType, Operation } from './openapi.types.js';
import { shareParts } from './shared-parts.js';
import { describeWebhooks } from './webhooks.js';

const VERSION = '3.1.1';

/** OpenAPI 3.0. */
export interface CompletedDocument {
  readonly document: OpenAPIObject;
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, ApiSchema>>;
}

/** OpenAPI 3.1, with shared parts and outgoing webhooks. */
export function* publish({ document, operations, schemas }: CompletedDocument): Portions<OpenAPIObject> {
  for (const operation of operations) {
    operation.parameters?.forEach(convertSchemaOf);
    const bodies = [operation.requestBody, ...Object.values(operation.responses)];
    for (const body of bodies) Object.values<MediaType>(body?.content ?? {}).forEach(convertSchemaOf);
    yield;
  }
  const paths = joinEquivalentPaths(document.paths);
  const webhooks = describeWebhooks();
  const requests = Object.values(webhooks).map(({ post }) => post);
  const { responses, parameters } = shareParts([...operations, ...requests]);
  yield;
  const published = {
    ...document,
    openapi: VERSION,
    paths,
    webhooks,
    components: {
      ...document.components,
      schemas: mapValues(schemas, toJsonSchema),
      responses,
      parameters,
    },
  };
  // Nest types only documents of version 3.0.
  return published as unknown as OpenAPIObject;
}
