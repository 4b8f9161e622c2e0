export { AppConfig, ConfigError } from './app-config.js';
export { ConfigModule, loadConfig, readSettings } from './config.module.js';
