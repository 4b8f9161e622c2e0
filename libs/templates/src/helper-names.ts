import { HELPERS } from '#libs/plugins';
import { type Call, calledName, hasArguments } from './ast.js';
import { T_HELPER } from './translate.js';

/** Without `log`: templates must not write to the log. */
const BUILT_IN_HELPERS = ['if', 'unless', 'each', 'with', 'lookup'] as const;

export const CUSTOM_HELPERS = [
  'json',
  'equals',
  'titlecase',
  'uppercase',
  'lowercase',
  'pluralize',
  'dateFormat',
  'unique',
  'groupBy',
  'sortBy',
  'numberFormat',
  'gt',
  'gte',
  'lt',
  'lte',
  'eq',
  'ne',
  'and',
  'or',
  'not',
  'uriEncode',
] as const;

export type CustomHelperName = (typeof CUSTOM_HELPERS)[number];

export const HELPER_NAMES: ReadonlySet<string> = new Set<string>(
  HELPERS.after([...BUILT_IN_HELPERS, ...CUSTOM_HELPERS, T_HELPER]),
);

/** The helper that is called, or undefined where the name means data, as `{{t}}` does without arguments. */
export function helperOf(call: Call): string | undefined {
  const name = calledName(call);
  if (name === undefined || !HELPER_NAMES.has(name)) return undefined;
  return name === T_HELPER && !hasArguments(call) ? undefined : name;
}
