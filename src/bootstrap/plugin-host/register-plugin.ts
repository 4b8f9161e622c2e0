import { addProvider } from '#libs/channels';
import { readSettings } from '#libs/config';
import type { PluginMigrations } from '#libs/persistence';
import { addHelpers, HELPER_MODULES, OPERATORS, PluginError, STEP_TYPES } from '#libs/plugins';
import { isPlugin, type Plugin, type PluginManifest, type PluginPage } from '../plugin-api/index.js';
import { assertManifest } from './assert-manifest.js';

const OPERATOR_NAME = /^[A-Z][A-Z0-9_]*$/;
const STEP_TYPE = /^[a-z][a-z0-9-]*$/;
const SETTING_NAME = /^[A-Z][A-Z0-9_]*$/;

const registered: Plugin[] = [];

/** For the imports of the root module, in the order in which they were loaded. */
export function registeredPlugins(): readonly Plugin[] {
  return registered;
}

export function pluginMigrations(): readonly PluginMigrations[] {
  return registered.map(({ manifest: { name, migrations = [] } }) => ({ plugin: name, migrations }));
}

/** A page for the console, and whose it is. */
export interface ConsolePage extends PluginPage {
  readonly plugin: string;
}

export function pluginPages(): readonly ConsolePage[] {
  return registered.flatMap(({ manifest: { name, pages = [] } }) => pages.map((page) => ({ plugin: name, ...page })));
}

/**
 * Registers everything that parts of Herald must know before they are loaded.
 * @param exported default export of the module
 * @param origin names the plugin for the operator while it has no name
 * @param url of its module, for threads
 */
export function registerPlugin(exported: unknown, origin: string, url: string | undefined): void {
  if (!isPlugin(exported)) {
    throw new PluginError(origin, 'its default export is not made with definePlugin() of herald/plugin.');
  }
  assertManifest(exported.manifest, origin);
  const { name, providers = [], steps = [], operators = {}, helpers } = exported.manifest;
  if (registered.some(({ manifest }) => manifest.name === name)) {
    throw new PluginError(
      name,
      `two plugins have this name; the second one is ${origin}. Remove one from HERALD_PLUGINS.`,
    );
  }
  for (const provider of providers) addProvider(name, provider);
  for (const step of steps) STEP_TYPES.add(name, named(name, 'a step type', step.type, STEP_TYPE), step);
  for (const [key, passes] of Object.entries(operators)) {
    OPERATORS.add(name, named(name, 'an operator', key, OPERATOR_NAME), passes);
  }
  addHelpers(name, helpers ?? {});
  if (helpers !== undefined && url !== undefined && !HELPER_MODULES.includes(url)) HELPER_MODULES.push(url);
  applySettings(exported.manifest);
  registered.push(exported);
}

function named(plugin: string, kind: string, name: string, pattern: RegExp): string {
  if (pattern.test(name)) return name;
  throw new PluginError(plugin, `'${name}' is no name for ${kind}; it must match ${pattern.source}.`);
}

function applySettings({ name, settings }: PluginManifest): void {
  if (settings === undefined) return;
  for (const setting of settings.names) named(name, 'a setting', setting, SETTING_NAME);
  const faults = settings.read(readSettings(settings.names));
  if (faults.length > 0) throw new PluginError(name, `its settings are not valid: ${faults.join('; ')}.`);
}
