import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { INestApplicationContext } from '@nestjs/common';
import type { ProviderDeclaration } from '#libs/channels';
import type { StepTypeDeclaration } from '#libs/plugins';
import { routesOfPlugins } from './assert-routes.js';
import { packageFolder } from './find-plugin.js';
import { moduleOf, registeredPlugins } from './register-plugin.js';

export interface PluginDescription {
  readonly name: string;
  readonly apiVersion: number;
  /** Absent for single files and for plugins of this build of Herald. */
  readonly package?: { readonly name: string; readonly version?: string };
  readonly providers: readonly ProviderDeclaration[];
  readonly steps: readonly StepTypeDeclaration[];
  readonly helpers: readonly string[];
  readonly operators: readonly string[];
  /** Names of environment variables. */
  readonly settings: readonly string[];
  readonly events: readonly string[];
  /** `GET /v1/feeds/:`, with `:` for each parameter. */
  readonly routes: readonly string[];
}

/** In the order in which they were loaded. */
export function describePlugins(app: INestApplicationContext): PluginDescription[] {
  const routes = routesOfPlugins(app);
  return registeredPlugins().map((plugin) => {
    const { name, apiVersion, providers = [], steps = [], helpers, operators, listeners = [], settings } = plugin;
    const found = packageOf(moduleOf(plugin));
    return {
      name,
      apiVersion,
      ...(found && { package: found }),
      providers: providers.map(({ declaration }) => declaration),
      steps,
      helpers: Object.keys(helpers ?? {}),
      operators: Object.keys(operators ?? {}),
      settings: settings?.names ?? [],
      events: [...new Set(listeners.map(({ event }) => event.name))],
      routes: routes.get(name) ?? [],
    };
  });
}

function packageOf(url: string | undefined): PluginDescription['package'] {
  if (url === undefined) return undefined;
  const file = join(packageFolder(dirname(fileURLToPath(url))), 'package.json');
  if (!existsSync(file)) return undefined;
  const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown; version?: unknown };
  if (typeof name !== 'string' || name === 'herald') return undefined;
  return { name, ...(typeof version === 'string' && { version }) };
}
