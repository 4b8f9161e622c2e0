export { type PluginPage, pluginPage } from './plugin-page.js';
