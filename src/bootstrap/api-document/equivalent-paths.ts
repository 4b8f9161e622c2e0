import type { OpenAPIObject } from '@nestjs/swagger';
import type { Operation } from './openapi.types.js';

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
