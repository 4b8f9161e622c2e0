export { AppConfig, ConfigError } from './app-config.js';
export { ConfigModule } from './config.module.js';
export { loadConfig } from './load-config.js';
