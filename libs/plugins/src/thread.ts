import * as nodeModule from 'node:module';
import { PluginError } from './plugin-error.js';
import { HELPER_MODULES, HELPERS, type TemplateHelper } from './points.js';
import { initialize, load, resolve, type SharedPackages } from './shared-packages.js';

/** What a thread needs to know the helpers of plugins; absent where no plugin brings any. */
export interface ThreadPlugins {
  readonly modules: readonly string[];
  readonly shared?: SharedPackages;
}

let sharedPackages: SharedPackages | undefined;

/** From Node 22.15 on, hooks need no thread, and `require()` has them too. */
export const { registerHooks: hooksOfRequire } = nodeModule as { readonly registerHooks?: (hooks: object) => void };

/** Lets modules of plugins find `herald/plugin` and Herald's copies of the packages that both use. */
export function sharePackages(shared: SharedPackages): void {
  sharedPackages = shared;
  if (hooksOfRequire === undefined) {
    nodeModule.register(new URL('./shared-packages.js', import.meta.url), { data: shared });
  } else {
    initialize(shared);
    hooksOfRequire({ resolve, load });
  }
}

export function pluginsForThreads(): ThreadPlugins | undefined {
  if (HELPER_MODULES.length === 0) return undefined;
  return { modules: HELPER_MODULES, ...(sharedPackages && { shared: sharedPackages }) };
}

interface Helpful {
  readonly manifest: { readonly name: string; readonly helpers?: Readonly<Record<string, TemplateHelper>> };
}

/** In a thread: loads the helpers of plugins, before anything reads their names. */
export async function loadHelpers({ modules, shared }: ThreadPlugins): Promise<void> {
  if (shared !== undefined) {
    await import(shared.provider);
    sharePackages(shared);
  }
  for (const url of modules) {
    const { default: exported } = (await import(url)) as { default: Helpful | readonly Helpful[] };
    for (const { manifest } of [exported].flat()) addHelpers(manifest.name, manifest.helpers ?? {});
  }
}

/** Names that templates can call. */
const HELPER_NAME = /^[a-zA-Z][a-zA-Z0-9_]*$/;

/** @throws {PluginError} */
export function addHelpers(plugin: string, helpers: Readonly<Record<string, TemplateHelper>>): void {
  for (const [name, helper] of Object.entries(helpers)) {
    if (!HELPER_NAME.test(name)) {
      throw new PluginError(
        plugin,
        `'${name}' is no name for a template helper. Use letters, digits and underscores, and begin with a letter.`,
      );
    }
    HELPERS.add(plugin, name, helper);
  }
}
