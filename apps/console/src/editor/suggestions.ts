/** What the completion of a template editor offers. */
export interface Suggestion {
  readonly name: string;
  readonly detail: string;
  readonly kind: 'variable' | 'helper';
}

/** The helpers of templates, with how they are used. A test of the renderer compares them with its own. */
const HELPERS: Readonly<Record<string, string>> = {
  if: '{{#if value}}…{{else}}…{{/if}}',
  unless: '{{#unless value}}…{{/unless}}',
  each: '{{#each list}}{{this}}{{/each}}',
  with: '{{#with object}}…{{/with}}',
  lookup: '{{lookup object name}}',
  json: '{{json value}}',
  equals: '{{#equals a b}}…{{/equals}}',
  titlecase: '{{titlecase text}}',
  uppercase: '{{uppercase text}}',
  lowercase: '{{lowercase text}}',
  pluralize: "{{pluralize count 'item' 'items'}}",
  dateFormat: "{{dateFormat date 'yyyy-MM-dd'}}",
  unique: "{{#each (unique list 'name')}}…{{/each}}",
  groupBy: "{{#each (groupBy list 'name')}}…{{/each}}",
  sortBy: "{{#each (sortBy list 'name')}}…{{/each}}",
  numberFormat: '{{numberFormat number}}',
  gt: '{{#gt a b}}…{{/gt}}',
  gte: '{{#gte a b}}…{{/gte}}',
  lt: '{{#lt a b}}…{{/lt}}',
  lte: '{{#lte a b}}…{{/lte}}',
  eq: '{{#eq a b}}…{{/eq}}',
  ne: '{{#ne a b}}…{{/ne}}',
  and: '{{#and a b}}…{{/and}}',
  or: '{{or a b}}',
  not: '{{#not a}}…{{/not}}',
  uriEncode: '{{uriEncode text}}',
  t: "{{t 'key' count=number}}",
};

/** The filters that Herald adds to Liquid, and the tags and filters that are used most. A test compares them with the renderer. */
const LIQUID: Readonly<Record<string, string>> = {
  if: '{% if value %}…{% else %}…{% endif %}',
  unless: '{% unless value %}…{% endunless %}',
  for: '{% for item in list %}{{ item }}{% endfor %}',
  case: "{% case value %}{% when 'a' %}…{% endcase %}",
  assign: '{% assign name = value %}',
  default: "{{ value | default: 'text' }}",
  upcase: '{{ text | upcase }}',
  downcase: '{{ text | downcase }}',
  capitalize: '{{ text | capitalize }}',
  titlecase: '{{ text | titlecase }}',
  date: "{{ date | date: '%Y-%m-%d' }}",
  dateFormat: "{{ date | dateFormat: 'yyyy-MM-dd' }}",
  numberFormat: '{{ number | numberFormat }}',
  pluralize: "{{ list | pluralize: 'item', 'items' }}",
  toSentence: "{{ list | toSentence: 'name', 2, 'other' }}",
  digest: "{{ list | digest: 2, 'name' }}",
  join: "{{ list | join: ', ' }}",
  json: '{{ value | json }}',
  uriEncode: '{{ text | uriEncode }}',
  t: "{{ 'key' | t: count: number }}",
  t_html: "{{ 'key' | t_html: count: number }}",
};

const WORDS = { handlebars: HELPERS, liquid: LIQUID } as const;

interface OpenExpression {
  /** What stands before the cursor of the name that is being typed. */
  readonly typed: string;
  /** Right after the braces. */
  readonly isOpening: boolean;
  /** The first word of the expression, which stands alone if it is a variable. */
  readonly isFirst: boolean;
}

/** @param before the text in front of the cursor @returns undefined outside of an expression */
export function expressionAt(before: string): OpenExpression | undefined {
  const start = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'));
  if (start < 0 || /[}%]\}/.test(before.slice(start))) return undefined;
  const inside = before.slice(start + 2).replace(/^[{#/^~]+/, '');
  const typed = lastWordOf(inside);
  const isFirst = inside.trimStart() === typed && !/[%#/^]/.test(before.slice(start + 1, start + 4));
  return { typed, isOpening: inside === '', isFirst };
}

function lastWordOf(text: string): string {
  let from = text.length;
  while (from > 0 && /[\w.@-]/.test(text.charAt(from - 1))) from -= 1;
  return text.slice(from);
}

/** The paths of a payload, in the notation of templates, with what stands there. */
export function pathsOf(value: unknown, path = '', depth = 0): { path: string; sample: string }[] {
  if (depth > 6) return [];
  if (Array.isArray(value)) return [{ path, sample: `list of ${value.length}` }];
  if (typeof value !== 'object' || value === null) {
    return path === '' ? [] : [{ path, sample: JSON.stringify(value) ?? '' }];
  }
  return Object.entries(value).flatMap(([name, child]) =>
    /^[\w$-]+$/.test(name) ? pathsOf(child, path === '' ? name : `${path}.${name}`, depth + 1) : [],
  );
}

/**
 * @param payload of the sample
 * @param declared names that the stored templates read
 * @param system fields that every template can use, by object
 * @param language of the templates
 */
export function suggestionsOf(
  payload: unknown,
  declared: readonly string[],
  system: Readonly<Record<string, Readonly<Record<string, string>>>>,
  language: keyof typeof WORDS = 'handlebars',
): Suggestion[] {
  const found = new Map<string, Suggestion>();
  const add = (name: string, detail: string): void => {
    if (!found.has(name)) found.set(name, { name, detail, kind: 'variable' });
  };
  for (const { path, sample } of pathsOf(payload)) add(path, sample.slice(0, 40));
  for (const name of declared) add(name, 'payload');
  for (const [object, fields] of Object.entries(system)) {
    for (const [field, type] of Object.entries(fields)) add(`${object}.${field}`, type);
  }
  const helpers = Object.entries(WORDS[language]).map(([name, detail]): Suggestion => ({
    name,
    detail,
    kind: 'helper',
  }));
  return [...found.values(), ...helpers];
}
