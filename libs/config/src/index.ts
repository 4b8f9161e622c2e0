export { AppConfig, ConfigError, settingsSchema } from './app-config.js';
export { ConfigModule, loadConfig } from './config.module.js';
