import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { operationsOf, readDocument } from './routes.js';

/** A method of the published client, by the name under which the client exports it. */
export interface ClientMethod {
  readonly name: string;
  /** Such as `GET /v1/messages`. */
  readonly route: string;
  /** Such as `/v1/messages`. */
  readonly resource: string;
  readonly isServed: boolean;
}

/** Every method of the installed `@novu/api`, in the order of their resources, and whether Herald has its route. */
export function methodsOfClient(): ClientMethod[] {
  const folder = join(dirname(createRequire(import.meta.filename).resolve('@novu/api')), 'funcs');
  const served = servedRoutes();
  const methods = readdirSync(folder)
    .filter((file) => file.endsWith('.js'))
    .map((file): ClientMethod => {
      const text = readFileSync(join(folder, file), 'utf8');
      const path = /pathToFunc\)?\("([^"]+)"/.exec(text)?.[1];
      const verb = /method: "([A-Z]+)"/.exec(text)?.[1];
      if (path === undefined || verb === undefined) throw new Error(`${file} names no route.`);
      const route = `${verb} ${path}`;
      const resource = path.split('/').slice(0, 3).join('/');
      return { name: file.slice(0, -'.js'.length), route, resource, isServed: served.has(nameless(route)) };
    });
  return methods.sort((a, b) => compare(a.resource, b.resource) || compare(a.name, b.name));
}

/** A parameter that takes some values only stands for a route of each. */
function servedRoutes(): Set<string> {
  const routes = operationsOf(readDocument()).flatMap(({ method, path, operation }) => {
    const [last] = (operation.parameters ?? []).filter(({ name }) => path.endsWith(`/{${name}}`));
    const values = last?.schema?.enum ?? [];
    return [path, ...values.map((value) => path.replace(/\{\w+\}$/, String(value)))].map((one) => `${method} ${one}`);
  });
  return new Set(routes.map(nameless));
}

/** Parameters of paths have other names there. */
const nameless = (route: string): string => route.replace(/\{\w+\}/g, '{}');
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
