import type { DynamicModule, Type } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import type { DeclaredProvider } from '#libs/channels';
import { AppLogger } from '#libs/http-kit';
import type { Migration } from '#libs/persistence';
import type { ConditionOperatorCheck, TemplateHelper } from '#libs/plugins';
import type { z } from 'zod';
import type { StepType } from '../../engine/delivery/records/plugin-step.types.js';
import { type Listener, PluginListeners } from './listeners.js';
import type { PluginSettings } from './settings.js';

/**
 * Version of everything that `herald/plugin` exports. It grows when a plugin that was written for the version before might
 * not work any more; additions do not change it.
 */
export const PLUGIN_API_VERSION = 1;

/** A page in the console. It has no session of its own: the console makes its calls, with the rights of whoever is signed in. */
export interface PluginPage {
  /** The last part of its address, `/console/plugins/<plugin>/<path>`: lower-case letters, digits and hyphens. */
  readonly path: string;
  /** In the menu, and above the page. */
  readonly label: string;
  /** The beginnings of the paths that it calls, such as `/v1/rooms`. Other calls are answered with 403. */
  readonly routes: readonly string[];
  /** What stands in the page, with its styles and scripts in it. `herald.call(method, path, body)` resolves with `{ status, body }`. */
  readonly html: string;
}

/** What a plugin adds to Herald. Everything but its name and version is optional. */
export interface PluginManifest {
  /** Names the plugin in errors and in the store; it must not change. Letters, digits and hyphens, with an optional scope. */
  readonly name: string;
  /** The {@link PLUGIN_API_VERSION} that the plugin is written for. */
  readonly apiVersion: number;
  /** Nest modules: controllers, services, schemas. They are part of the API process and of delivery workers. */
  readonly modules?: readonly (Type | DynamicModule)[];
  /** Providers of the channels email, sms, chat and push, made with `defineProvider`. */
  readonly providers?: readonly DeclaredProvider[];
  /** Types of steps, made with `defineStep`. */
  readonly steps?: readonly StepType[];
  /** Helpers of templates, by name. */
  readonly helpers?: Readonly<Record<string, TemplateHelper>>;
  /** Operators of conditions, by name, in capital letters with underscores. */
  readonly operators?: Readonly<Record<string, ConditionOperatorCheck>>;
  /** Functions that Herald's events call, made with `listenTo`. */
  readonly listeners?: readonly Listener[];
  /** Changes of the plugin's own records, each carried out once for a store. Versions 1, 2, 3 and so on. */
  readonly migrations?: readonly Migration[];
  /** Pages in the console. */
  readonly pages?: readonly PluginPage[];
  /** Settings that the plugin reads from the environment, made with `defineSettings`. */
  readonly settings?: PluginSettings;
}

/** A dynamic module of Nest: the root module imports it beside Herald's own. */
export interface Plugin extends DynamicModule {
  readonly manifest: PluginManifest;
}

/** Each plugin is a module class of its own, because Nest tells modules apart by their classes. */
class PluginModule {}

/** Makes a plugin, which its module exports as `default`. */
export function definePlugin(manifest: PluginManifest): Plugin {
  const { name, modules, listeners } = manifest;
  const module = class extends PluginModule {};
  // Nest's errors show it.
  Object.defineProperty(module, 'name', { value: name });
  return {
    module,
    // Herald has checked nothing yet.
    imports: Array.isArray(modules) ? [...(modules as readonly (Type | DynamicModule)[])] : [],
    providers: [
      {
        provide: PluginListeners,
        useFactory: (emitter: EventEmitter2, logger: AppLogger) =>
          new PluginListeners(name, listeners ?? [], emitter, logger),
        inject: [EventEmitter2, AppLogger],
      },
    ],
    manifest,
  };
}

export function isPlugin(value: unknown): value is Plugin {
  const { module } = (value ?? {}) as Partial<Plugin>;
  return module?.prototype instanceof PluginModule;
}

/** Makes a type of step. */
export function defineStep<S extends z.ZodType>(step: StepType<S>): StepType<S> {
  return step;
}
