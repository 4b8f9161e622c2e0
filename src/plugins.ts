import type { Plugin } from './bootstrap/plugin-api/index.js';

/** The plugins of a team that builds Herald itself, which the root module imports. All others are entered in HERALD_PLUGINS. */
const PLUGINS: readonly Plugin[] = [];

export default PLUGINS;
