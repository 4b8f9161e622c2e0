export { AppConfig, ConfigError } from './app-config.js';
export { commandLine, ConfigModule, loadConfig, misspelledSettings, readSettings } from './config.module.js';
export { isConnectionString, WRONG_CONNECTION_STRING } from './connection-string.js';
export { VERSION } from './version.js';
