export { AppConfig, ConfigError } from './app-config.js';
export { ConfigModule, loadConfig } from './config.module.js';
