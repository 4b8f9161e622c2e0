import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from '../plugin-api/index.js';
import { registerPlugin } from './register-plugin.js';

/** The list as threads can import it: compiled, and next to a joined program. */
const LIST = ['../../plugins.js', './in-tree-plugins.js'].map((path) => new URL(path, import.meta.url));

/** Registers the plugins of `src/plugins.ts`. @throws {PluginError} */
export function registerInTree(plugins: readonly Plugin[]): void {
  const url = LIST.find((place) => existsSync(fileURLToPath(place)))?.href;
  for (const plugin of plugins) registerPlugin(plugin, 'src/plugins.ts', url);
}
