import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import PLUGINS from '../plugins.js';
import { registerPlugin } from './plugin-host/index.js';

/** The list as threads can import it: compiled, or in the bundle. */
const url = ['../plugins.js', './in-tree-plugins.js']
  .map((path) => new URL(path, import.meta.url))
  .find((place) => existsSync(fileURLToPath(place)))?.href;

// Imported before the application: its validation and documents read lists that plugins extend.
for (const plugin of PLUGINS) registerPlugin(plugin, 'src/plugins.ts', url);
