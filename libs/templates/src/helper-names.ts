import { HELPERS } from '#libs/plugins';

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
] as const;

export type CustomHelperName = (typeof CUSTOM_HELPERS)[number];

export const HELPER_NAMES: ReadonlySet<string> = new Set<string>(
  HELPERS.after([...BUILT_IN_HELPERS, ...CUSTOM_HELPERS]),
);
