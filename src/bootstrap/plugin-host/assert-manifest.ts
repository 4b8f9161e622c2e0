import { PluginError } from '#libs/plugins';
import { z } from 'zod';
import { PLUGIN_API_VERSION, type PluginManifest } from '../plugin-api/index.js';

const PLUGIN_NAME = /^(?:@[a-z0-9-]+\/)?[a-z0-9][a-z0-9-]*$/;

const isFunction = (value: unknown): boolean => typeof value === 'function';
const memberOf = (value: unknown, key: string): unknown => (value as Record<string, unknown> | null)?.[key];
const aFunction = z.custom(isFunction, 'must be a function');
const functions = z.record(z.string(), aFunction, 'must be an object of functions').optional();
const listOf = <T extends z.ZodType>(entry: T): z.ZodOptional<z.ZodArray<T>> =>
  z.array(entry, 'must be a list').optional();

const PAGE_PATH = /^[a-z][a-z0-9-]*$/;
const MOST_LABEL = 40;

/** Mistakes of untyped plugins that would otherwise be ignored or fail far from their cause. */
const MANIFEST = z.strictObject({
  name: z.string(),
  apiVersion: z.number(),
  modules: listOf(
    z.custom((value) => isFunction(value) || isFunction(memberOf(value, 'module')), 'must be a module of Nest'),
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
        input: z.looseObject({ safeParse: aFunction }, 'must be a schema made with z').optional(),
        template: z.record(z.string(), z.unknown(), 'must be an object of schemas').optional(),
        run: aFunction.optional(),
        simulate: aFunction.optional(),
        runner: aFunction.optional(),
      })
      .superRefine(({ input, template, run, runner }, context) => {
        if (input === undefined && template === undefined) {
          context.addIssue({ code: 'custom', path: ['input'], message: 'must be a schema made with z' });
        } else if (run === undefined && runner === undefined) {
          context.addIssue('must have a function run or a class runner');
        }
      }),
  ),
  helpers: functions,
  operators: functions,
  listeners: listOf(
    z.looseObject({
      event: z.custom(isFunction, 'must be a class of herald/plugin, such as MessageSent'),
      handle: aFunction,
    }),
  ),
  migrations: listOf(z.looseObject({ version: z.number(), name: z.string('must be a text'), run: aFunction })),
  pages: listOf(
    z.strictObject({
      path: z.string('must be a text').regex(PAGE_PATH, 'must consist of lower-case letters, digits and hyphens'),
      label: z
        .string('must be a text')
        .min(1, 'must not be empty')
        .max(MOST_LABEL, `must have at most ${MOST_LABEL} characters`),
      routes: z.array(z.string().startsWith('/v1/', 'must begin with /v1/'), 'must be a list of paths'),
      html: z.string('must be a text'),
    }),
  ),
  settings: z.custom((value) => isFunction(memberOf(value, 'read')), 'must be made with defineSettings()').optional(),
});

/** @param origin names the plugin for the operator while it has no name */
export function assertManifest(manifest: PluginManifest, origin: string): void {
  const { name, apiVersion, migrations = [], pages = [] }: Partial<PluginManifest> = manifest;
  if (typeof name !== 'string' || !PLUGIN_NAME.test(name)) {
    throw new PluginError(origin, 'its name must consist of lower-case letters, digits and hyphens.');
  }
  const refuse = (problem: string): never => {
    throw new PluginError(name, problem);
  };
  if (apiVersion === undefined) {
    refuse(`it has no apiVersion. This Herald has version ${PLUGIN_API_VERSION} of the plugin API.`);
  }
  if (apiVersion !== PLUGIN_API_VERSION) {
    refuse(
      `it is written for version ${String(apiVersion)} of the plugin API, and this Herald has version ${PLUGIN_API_VERSION}. ` +
        'Install a version of the plugin that fits this Herald.',
    );
  }
  const faults = MANIFEST.safeParse(manifest).error?.issues.map(faultOf) ?? [];
  if (faults.length > 0) refuse(`${faults.join('; ')}.`);
  const twice = pages.find(({ path }, place) => pages.findIndex((other) => other.path === path) !== place);
  if (twice !== undefined) refuse(`it has two pages with the path ${twice.path}. Give one of them another path.`);
  for (const [place, { version }] of migrations.entries()) {
    if (version !== place + 1)
      refuse(`its migration ${place + 1} has the version ${version}. Number them 1, 2, 3 in their order.`);
  }
}

function faultOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') return `its ${issue.path.join('.')} ${issue.message}`;
  if (issue.path.length > 0) return `its ${issue.path.join('.')} has unknown members: ${issue.keys.join(', ')}`;
  return `it has unknown members: ${issue.keys.join(', ')}. A plugin can have ${Object.keys(MANIFEST.shape).join(', ')}`;
}
