export { assertRoutes } from './assert-routes.js';
export { loadPlugins } from './load-plugins.js';
export {
  type ConsolePage,
  pluginMigrations,
  pluginPages,
  registeredPlugins,
  registerPlugin,
} from './register-plugin.js';
