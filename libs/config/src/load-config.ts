import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { AppConfig } from './app-config.js';

/**
 * Settings of this process: the environment, completed by `.env` in the working directory where it exists
 * (variables that are already set win).
 * @throws {ConfigError} that lists every fault at once
 */
export function loadConfig(): AppConfig {
  if (existsSync('.env')) loadEnvFile('.env');
  // eslint-disable-next-line no-restricted-properties -- the one door to the environment
  return AppConfig.from(process.env);
}
