export { assertRoutes } from './assert-routes.js';
export { describePlugins, type PluginDescription } from './describe-plugins.js';
export { registerInTree } from './in-tree.js';
export { loadPlugins, shareModules } from './load-plugins.js';
export { PluginHostModule, pluginMigrations } from './plugin-host.module.js';
