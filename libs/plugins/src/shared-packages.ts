import type { ResolveHookContext } from 'node:module';

/**
 * A module hook: gives the modules of plugins Herald's own copies of the packages that both use. Nest compares classes and
 * reads metadata of decorators, so a second copy in the folder of a plugin would not be recognized. Node runs this file in
 * a thread of its own, so it imports nothing.
 */

export interface SharedPackages {
  /** URL of the module that `herald/plugin` names. */
  readonly entry: string;
  /** URL of a file from which Herald's packages are found. */
  readonly from: string;
  /** URLs of the folders of plugins, each with a slash at its end. */
  readonly folders: readonly string[];
}

type Resolved = { readonly url: string; readonly shortCircuit?: boolean };
type Resolve = (specifier: string, context: Partial<ResolveHookContext>) => Resolved | Promise<Resolved>;

const SHARED =
  /^(?:@nestjs\/[^/]+|mongoose|mongodb|bson|reflect-metadata|rxjs|class-validator|class-transformer|zod)(?:\/|$)/;

let shared: SharedPackages | undefined;

export function initialize(data: SharedPackages): void {
  shared = data;
}

export function resolve(
  specifier: string,
  context: Partial<ResolveHookContext>,
  next: Resolve,
): Resolved | Promise<Resolved> {
  if (shared === undefined) return next(specifier, context);
  if (specifier === 'herald/plugin') return { url: shared.entry, shortCircuit: true };
  if (!SHARED.test(specifier) || !isOfPlugin(context.parentURL, shared)) return next(specifier, context);
  return next(specifier, { ...context, parentURL: shared.from });
}

/** The packages that a plugin depends on keep their own versions. */
function isOfPlugin(parent: string | undefined, { folders }: SharedPackages): boolean {
  return folders.some(
    (folder) => parent?.startsWith(folder) === true && !parent.slice(folder.length).includes('node_modules/'),
  );
}
