import type { OpenAPIObject } from '@nestjs/swagger';
import type { Portions } from '#libs/worker-pool';
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

type Paths = OpenAPIObject['paths'];
type Item = Paths[string];

const PARAMETER = /\{(\w+)\}/g;

/**
 * OpenAPI forbids paths that differ only in parameter names: the parameter of `/preferences/{level}` and
 * `/preferences/{workflowId}` becomes `levelOrWorkflowId`.
 */
export function joinEquivalentPaths(paths: Paths): Paths {
  const groups = new Map<string, [path: string, item: Item][]>();
  for (const entry of Object.entries(paths)) {
    const shape = entry[0].replace(PARAMETER, '{}');
    groups.set(shape, [...(groups.get(shape) ?? []), entry]);
  }
  return Object.fromEntries(
    [...groups.values()].flatMap((group) => {
      if (group.length === 1) return group;
      const path = jointPath(group.map(([one]) => one));
      return [[path, Object.assign({}, ...group.map(([one, item]) => renamed(one, path, item))) as Item]];
    }),
  );
}

function jointPath(paths: readonly string[]): string {
  const names = paths.map(namesOf);
  let position = 0;
  return (paths[0] ?? '').replace(PARAMETER, () => {
    const all = [...new Set(names.map((of) => of[position] ?? ''))];
    position += 1;
    return `{${all.map((name, index) => (index === 0 ? name : upperFirst(name))).join('Or')}}`;
  });
}

function renamed(from: string, to: string, item: Item): Item {
  const names = new Map(namesOf(from).map((name, index) => [name, namesOf(to)[index] ?? name]));
  for (const { parameters } of Object.values(item as Record<string, Operation>)) {
    for (const parameter of parameters ?? []) {
      if (parameter.in === 'path') parameter.name = names.get(parameter.name) ?? parameter.name;
    }
  }
  return item;
}

const namesOf = (path: string): string[] => [...path.matchAll(PARAMETER)].map(([, name = '']) => name);
const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
