import { PluginError } from '#libs/plugins';
import { z } from 'zod';
import { type Plugin, PLUGIN_API_VERSION } from '../plugin-api/index.js';

const PLUGIN_NAME = /^(?:@[a-z0-9-]+\/)?[a-z0-9][a-z0-9-]*$/;

const aFunction = z.custom((value) => typeof value === 'function', 'must be a function');
const functionsByName = z.record(z.string(), aFunction, 'must be an object of functions');
const listOf = <T extends z.ZodType>(entry: T): z.ZodOptional<z.ZodArray<T>> =>
  z.array(entry, 'must be a list').optional();

/** Mistakes of untyped plugins that would otherwise be ignored or fail far from their cause. */
const SHAPE = z.strictObject({
  name: z.string(),
  apiVersion: z.number(),
  modules: listOf(
    z.custom(
      (value) => typeof value === 'function' || typeof (value as { module?: unknown } | null)?.module === 'function',
      'must be a module of Nest',
    ),
  ),
  providers: listOf(
    z.looseObject(
      {
        declaration: z.looseObject({
          channel: z.enum(['email', 'sms', 'chat', 'push'], 'must be email, sms, chat or push'),
        }),
        create: aFunction,
      },
      'must be made with defineProvider()',
    ),
  ),
  steps: listOf(
    z
      .looseObject({
        type: z.string('must be a text'),
        input: z.looseObject({ safeParse: aFunction }, 'must be a schema made with z'),
        run: aFunction.optional(),
        simulate: aFunction.optional(),
        runner: aFunction.optional(),
      })
      .refine(
        ({ run, runner }) => run !== undefined || runner !== undefined,
        'must have a function run or a class runner',
      ),
  ),
  helpers: functionsByName.optional(),
  operators: functionsByName.optional(),
  listeners: listOf(
    z.looseObject({
      event: z.custom((value) => typeof value === 'function', 'must be a class of herald/plugin, such as MessageSent'),
      handle: aFunction,
    }),
  ),
  migrations: listOf(z.looseObject({ version: z.number(), name: z.string('must be a text'), run: aFunction })),
  settings: z
    .custom(
      (value) => typeof (value as { read?: unknown } | null)?.read === 'function',
      'must be made with defineSettings()',
    )
    .optional(),
});

/** @param origin names the plugin for the operator while it has no name @throws {PluginError} */
export function assertShape(plugin: Plugin, origin: string): void {
  const { name, apiVersion } = plugin as Partial<Plugin>;
  if (typeof name !== 'string' || !PLUGIN_NAME.test(name)) {
    throw new PluginError(origin, 'its name must consist of lower-case letters, digits and hyphens.');
  }
  if (apiVersion === undefined) {
    throw new PluginError(
      name,
      `it has no apiVersion. This Herald has version ${PLUGIN_API_VERSION} of the plugin API.`,
    );
  }
  if (apiVersion !== PLUGIN_API_VERSION) {
    throw new PluginError(
      name,
      `it is written for version ${String(apiVersion)} of the plugin API, and this Herald has version ${PLUGIN_API_VERSION}. ` +
        'Install a version of the plugin that fits this Herald.',
    );
  }
  const faults = SHAPE.safeParse(plugin).error?.issues.map(faultOf) ?? [];
  if (faults.length > 0) throw new PluginError(name, `${faults.join('; ')}.`);
}

function faultOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') return `its ${issue.path.join('.')} ${issue.message}`;
  return `it has unknown members: ${issue.keys.join(', ')}. A plugin can have ${Object.keys(SHAPE.shape).join(', ')}`;
}
