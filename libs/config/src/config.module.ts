import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { DynamicModule, Global, Module } from '@nestjs/common';
import { AppConfig, ConfigError, settingsSchema } from './app-config.js';
import { type UnknownSetting, unknownSettings } from './unknown-settings.js';

const settingsOfPlugins = new Set<string>();

/** Makes the validated {@link AppConfig} injectable everywhere: that of the environment, unless the start gives another one. */
@Global()
@Module({ providers: [{ provide: AppConfig, useFactory: loadConfig }], exports: [AppConfig] })
export class ConfigModule {
  static forRoot(config: AppConfig): DynamicModule {
    return { module: ConfigModule, providers: [{ provide: AppConfig, useValue: config }] };
  }
}

/**
 * Settings of this process: the environment, completed by `.env` in the working directory if it exists (variables that are
 * already set win).
 * @throws {ConfigError} that lists every fault
 */
export function loadConfig(): AppConfig {
  if (existsSync('.env')) completeEnvironment(readFileSync('.env'));
  // eslint-disable-next-line no-restricted-properties -- the one door to the environment
  return AppConfig.from(process.env);
}

/** Node takes a byte order mark, with which some editors begin a file, for a part of the first name. @throws {ConfigError} */
function completeEnvironment(file: Buffer): void {
  const text = file.toString().replace(/^\uFEFF/, '');
  if (text.includes('\0')) throw new ConfigError(['.env: must be text in UTF-8. Save it with that encoding.']);
  // eslint-disable-next-line no-restricted-properties -- the same door
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
}

/**
 * How the operator runs a command of Herald: `npm run herald -- keys list` in a clone, `herald keys list` with the package.
 * @param args begin with a blank
 */
export function commandLine(command: string, args = ''): string {
  // eslint-disable-next-line no-restricted-properties -- set by bin/commands.mjs, and no setting
  return `${process.env['HERALD_COMMAND'] ?? 'npm run herald --'} ${command}${args}`;
}

/** Settings of plugins, which AppConfig does not know. An empty text counts as unset. Call it after {@link loadConfig}. */
export function readSettings(names: readonly string[]): Record<string, string | undefined> {
  for (const name of names) settingsOfPlugins.add(name);
  // eslint-disable-next-line no-restricted-properties -- the same door for the settings of plugins
  return Object.fromEntries(names.map((name) => [name, process.env[name] || undefined]));
}

/** Variables that look like misspelled settings. Call it after {@link readSettings}. */
export function misspelledSettings(): UnknownSetting[] {
  const known = [...Object.keys(settingsSchema.shape), ...settingsOfPlugins];
  // eslint-disable-next-line no-restricted-properties -- only the names are reported
  return unknownSettings(process.env, known);
}
