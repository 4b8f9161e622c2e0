import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AppConfig } from '#libs/config';
import { hooksOfRequire, PluginError, sharePackages } from '#libs/plugins';
import { findPlugin, type FoundPlugin, packageFolder } from './find-plugin.js';
import { registerPlugin } from './register-plugin.js';

/** How Node 20 rejects a `require()` of herald/plugin. */
const ERRORS_OF_REQUIRE = new Set(['MODULE_NOT_FOUND', 'ERR_REQUIRE_ASYNC_MODULE', 'ERR_PACKAGE_PATH_NOT_EXPORTED']);

/**
 * Call before importing the application: its validation and documents read lists that plugins extend.
 * @throws {PluginError} that names the plugin and the remedy
 */
export async function loadPlugins(config: AppConfig): Promise<void> {
  const entries = config.get('HERALD_PLUGINS');
  if (entries.length === 0) return;
  const herald = packageFolder(dirname(fileURLToPath(import.meta.url)));
  const found = entries.map((entry) => findPlugin(entry, [process.cwd(), herald]));
  sharePackages({
    exports: (await import('./shared-modules.js')).SHARED_EXPORTS,
    // The same place compiled and bundled.
    provider: new URL('./shared-modules.js', import.meta.url).href,
    folders: found.map(({ folder }) => urlOf(folder)),
    herald: urlOf(herald),
  });
  for (const plugin of found) await load(plugin);
}

async function load({ entry, file }: FoundPlugin): Promise<void> {
  const url = pathToFileURL(file).href;
  let exported: unknown;
  try {
    ({ default: exported } = (await import(url)) as { default?: unknown });
  } catch (error) {
    throw new PluginError(entry, `loading ${file} failed: ${oneLine(error)}${hintFor(error)}`, { cause: error });
  }
  registerPlugin(exported, entry, url);
}

function hintFor(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (hooksOfRequire === undefined && ERRORS_OF_REQUIRE.has(code)) return ' CommonJS plugins need Node 22.15 or later.';
  // For a syntax error, Node gives the importing code only the message.
  const isSyntax = error instanceof SyntaxError && !message.includes('does not provide an export');
  return isSyntax ? ' node --check FILE shows the line.' : '';
}

const urlOf = (folder: string): string => `${pathToFileURL(folder).href}/`;

function oneLine(error: unknown): string {
  const [first = ''] = String(error instanceof Error ? error.message : error).split('\n');
  return first.endsWith('.') ? first : `${first}.`;
}
