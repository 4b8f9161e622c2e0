export { assertRoutes } from './assert-routes.js';
export { loadPlugins } from './load-plugins.js';
export { pluginMigrations, registeredPlugins, registerPlugin } from './register-plugin.js';
