import type { LoadHookContext, ModuleSource, ResolveHookContext } from 'node:module';

/**
 * Module hooks that give plugins Herald's own copies of the packages that both use. Nest compares classes and reads metadata of
 * decorators, so it would not recognize a second copy. Herald may be a bundle, in which no module can be found: each
 * shared package is a module that is written here and takes its exports from a global object. On Node 20 this file runs in a
 * thread of its own, so it imports nothing.
 */

/** Where the shared packages are by name, under `Symbol.for`. */
export const SHARED_MODULES = 'herald.shared-modules';

export interface SharedPackages {
  /** Names of the exports of each shared module, by the specifier that imports it. */
  readonly exports: Readonly<Record<string, readonly string[]>>;
  /** URLs of the folders of plugins and of Herald, each with a slash at its end. */
  readonly folders: readonly string[];
  readonly herald: string;
  /** URL of the module that shares the packages within the thread that imports it. */
  readonly provider: string;
}

type Resolved = { readonly url: string; readonly format?: string; readonly shortCircuit?: boolean };
type Resolve = (specifier: string, context: Partial<ResolveHookContext>) => Resolved | Promise<Resolved>;
type Loaded = { readonly format: string; readonly source?: ModuleSource; readonly shortCircuit?: boolean };
type Load = (url: string, context: Partial<LoadHookContext>) => Loaded | Promise<Loaded>;

const SCHEME = 'herald-shared:';
const ENTRY = 'herald/plugin';
/** Packages that a plugin depends on keep their own versions of all others. */
const NEST = /^@nestjs\/|^reflect-metadata$/;

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
  const importer = importerOf(context.parentURL, shared);
  if (specifier in shared.exports) {
    const isShared =
      specifier === ENTRY || importer === 'plugin' || (importer === 'dependency' && NEST.test(specifier));
    return isShared ? { url: `${SCHEME}${specifier}`, format: 'module', shortCircuit: true } : next(specifier, context);
  }
  const name = packageOf(specifier);
  if (importer !== 'plugin' || !(name in shared.exports)) return next(specifier, context);
  throw new Error(`'${specifier}' cannot be imported: of ${name}, Herald shares what '${name}' itself exports`);
}

export function load(url: string, context: Partial<LoadHookContext>, next: Load): Loaded | Promise<Loaded> {
  if (shared === undefined || !url.startsWith(SCHEME)) return next(url, context);
  const specifier = url.slice(SCHEME.length);
  return { format: 'module', source: sourceOf(specifier, shared.exports[specifier] ?? []), shortCircuit: true };
}

/** Packages that a plugin depends on lie in its folder or next to it. */
function importerOf(parent = '', { folders, herald }: SharedPackages): 'plugin' | 'dependency' | 'herald' {
  const folder = folders.find((url) => parent.startsWith(url));
  if (folder === undefined) return parent.startsWith(herald) ? 'herald' : 'dependency';
  return parent.slice(folder.length).includes('node_modules/') ? 'dependency' : 'plugin';
}

/** `@nestjs/core` of `@nestjs/core/injector` */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Source of a module with these exports. As texts, names may be those of CommonJS, which are free. */
function sourceOf(specifier: string, names: readonly string[]): string {
  const lines = names.map((name, place) => {
    const quoted = JSON.stringify(name);
    return `const e${place} = shared[${quoted}]; export { e${place} as ${quoted} };`;
  });
  const from = `globalThis[Symbol.for(${JSON.stringify(SHARED_MODULES)})][${JSON.stringify(specifier)}]`;
  return [`const shared = ${from};`, ...lines].join('\n');
}
