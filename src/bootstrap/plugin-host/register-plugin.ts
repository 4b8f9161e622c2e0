import { addProvider } from '#libs/channels';
import { readSettings } from '#libs/config';
import { addHelpers, HELPER_MODULES, OPERATORS, PluginError, STEP_TYPES } from '#libs/plugins';
import { isPlugin, type Plugin } from '../plugin-api/index.js';
import { assertShape } from './assert-shape.js';

const OPERATOR_NAME = /^[A-Z][A-Z0-9_]*$/;
const STEP_TYPE = /^[a-z][a-z0-9-]*$/;
const SETTING_NAME = /^[A-Z][A-Z0-9_]*$/;

const registered: Plugin[] = [];
const urlOfPlugin = new Map<Plugin, string>();

/** In the order in which they were loaded. */
export function registeredPlugins(): readonly Plugin[] {
  return registered;
}

/** Undefined if unknown. */
export function moduleOf(plugin: Plugin): string | undefined {
  return urlOfPlugin.get(plugin);
}

/**
 * Registers everything that parts of Herald must know before they are loaded.
 * @param exported default export of the module
 * @param origin names the plugin for the operator while it has no name
 * @param url of its module, for threads
 * @throws {PluginError}
 */
export function registerPlugin(exported: unknown, origin: string, url: string | undefined): void {
  if (!isPlugin(exported)) {
    throw new PluginError(origin, 'its default export is not made with definePlugin() of herald/plugin.');
  }
  const plugin = exported;
  const { name } = plugin;
  assertFits(plugin, origin);
  for (const provider of plugin.providers ?? []) addProvider(name, provider);
  for (const step of plugin.steps ?? []) STEP_TYPES.add(name, named(name, 'a step type', step.type, STEP_TYPE), step);
  for (const [key, passes] of Object.entries(plugin.operators ?? {})) {
    OPERATORS.add(name, named(name, 'an operator', key, OPERATOR_NAME), passes);
  }
  addHelpers(name, plugin.helpers ?? {});
  if (plugin.helpers !== undefined && url !== undefined && !HELPER_MODULES.includes(url)) HELPER_MODULES.push(url);
  applySettings(plugin);
  registered.push(plugin);
  if (url !== undefined) urlOfPlugin.set(plugin, url);
}

function assertFits(plugin: Plugin, origin: string): void {
  assertShape(plugin, origin);
  const { name, migrations = [] } = plugin;
  if (registered.some((other) => other.name === name)) {
    throw new PluginError(
      name,
      `two plugins have this name; the second one is ${origin}. Remove one from HERALD_PLUGINS.`,
    );
  }
  migrations.forEach(({ version }, place) => {
    if (version === place + 1) return;
    throw new PluginError(
      name,
      `its migration ${place + 1} has the version ${version}. Number them 1, 2, 3 in their order.`,
    );
  });
}

function named(plugin: string, kind: string, name: string, pattern: RegExp): string {
  if (pattern.test(name)) return name;
  throw new PluginError(plugin, `'${name}' is no name for ${kind}; it must match ${pattern.source}.`);
}

function applySettings({ name, settings }: Plugin): void {
  if (settings === undefined) return;
  for (const setting of settings.names) named(name, 'a setting', setting, SETTING_NAME);
  const faults = settings.read(readSettings(settings.names));
  if (faults.length > 0) throw new PluginError(name, `its settings are not valid: ${faults.join('; ')}.`);
}
