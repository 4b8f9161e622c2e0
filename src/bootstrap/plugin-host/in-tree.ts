import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from '../plugin-api/index.js';
import { registerPlugin } from './register-plugin.js';

/** As threads can import it: compiled, or next to a joined program. */
const LIST = ['../../plugins.js', './in-tree-plugins.js'].map((path) => new URL(path, import.meta.url));

/** @throws {PluginError} */
export function registerInTree(plugins: readonly Plugin[]): void {
  const url = LIST.find((place) => existsSync(fileURLToPath(place)))?.href;
  for (const plugin of plugins) registerPlugin(plugin, 'src/plugins.ts', url);
}
