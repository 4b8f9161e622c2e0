import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AppConfig } from '#libs/config';
import { PluginError, sharePackages } from '#libs/plugins';
import { findPlugin, type FoundPlugin } from './find-plugin.js';
import { registerPlugin } from './register-plugin.js';

/** Herald's own folder, from `dist/src/plugin-host`. */
const HERALD = new URL('../../../', import.meta.url);

/**
 * Loads the plugins of HERALD_PLUGINS. Call it before the application is imported: lists that plugins extend are read by
 * validation and documents when their modules are loaded.
 * @throws {PluginError} that names the plugin and says what to do
 */
export async function loadPlugins(config: AppConfig): Promise<void> {
  const entries = config.get('HERALD_PLUGINS');
  if (entries.length === 0) return;
  const found = entries.map((entry) => findPlugin(entry, [process.cwd(), fileURLToPath(HERALD)]));
  sharePackages({
    entry: new URL('../plugin-api/index.js', import.meta.url).href,
    from: new URL('package.json', HERALD).href,
    folders: found.map(({ folder }) => `${pathToFileURL(folder).href}/`),
  });
  for (const plugin of found) await load(plugin);
}

async function load({ entry, file }: FoundPlugin): Promise<void> {
  const url = pathToFileURL(file).href;
  let exported: unknown;
  try {
    ({ default: exported } = (await import(url)) as { default?: unknown });
  } catch (error) {
    throw new PluginError(entry, `loading ${file} failed: ${oneLine(error)}`, { cause: error });
  }
  registerPlugin(exported, entry, url);
}

function oneLine(error: unknown): string {
  const [first = ''] = String(error instanceof Error ? error.message : error).split('\n');
  return first.endsWith('.') ? first : `${first}.`;
}
