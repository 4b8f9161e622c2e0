import { momentOf } from '../durations.js';

/** Part of a body that a text of the API is about, such as `steps.2.filters.0.children.1.field`. */
const PATH = /(?<![\w.])(?!v\d)[a-z]\w*(?:\.\w+)+/g;
const FIRST_PATH = /^([a-z]\w*(?:\.\w+)*) (?=must|should|has|is|are|needs|names|cannot|may|does|lacks)/;
const CALL = /\b(?:GET|POST|PUT|PATCH|DELETE) (?:\/v\d|`)\S*/;
const CALLS = /\b(?:GET|POST|PUT|PATCH|DELETE) (?:\/v\d|`)\S*/g;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/g;

/** Where a text of the API tells programs what to do, what people do here. */
const HERE: readonly (readonly [told: RegExp, here: string])[] = [
  [/\bor omit 'check' to store them without a test/, 'or untick the check to store them without it'],
  [/, as (?:a string|text)\b/, ''],
];

/** Members of bodies that people know by another name. Those without a word are only there for programs. */
const NAMES: Readonly<Record<string, string>> = {
  steps: 'step',
  children: 'condition',
  variants: 'variant',
  blocks: 'block',
  filters: '',
  conditions: '',
  template: '',
  metadata: '',
  credentials: '',
  limits: '',
};

/** A text of the API for people: no paths of bodies, calls, Markdown or times of programs. */
export function plainWords(text: string): string {
  const plain = HERE.reduce((before, [told, here]) => before.replace(told, here), text)
    .replaceAll(/\[([^[\]]+)\]\([^()]*\)/g, '$1')
    .replaceAll(/\*\*([^*]+)\*\*/g, '$1')
    .replaceAll(/<(https?:[^<>]+)>/g, '$1')
    .replaceAll(TIME, (at) => momentOf(at))
    .replace(FIRST_PATH, (_, path: string) => `${capital(placeOf(path))} `)
    .replaceAll(PATH, (path) => (/\.\d/.test(path) ? placeOf(path) : path));
  return withoutCalls(plain).replaceAll('`', '');
}

/** The path at which a text of the API begins, if it is about a part of the body. */
export function pathOf(text: string): string | undefined {
  return FIRST_PATH.exec(text)?.[1];
}

/** `steps.2.filters.0.children.1.field` as `step 3, condition 2, field`. */
export function placeOf(path: string): string {
  const parts: string[] = [];
  let name = '';
  for (const part of path.split('.')) {
    const isNumber = /^\d+$/.test(part);
    const known = NAMES[name];
    if (isNumber && known !== '') parts.push(`${known ?? singular(name)} ${Number(part) + 1}`);
    if (!isNumber && name !== '' && NAMES[name] === undefined && !parts.at(-1)?.startsWith(singular(name)))
      parts.push(wordsOf(name));
    if (!isNumber) name = part;
    else name = '';
  }
  if (name !== '' && NAMES[name] !== '') parts.push(wordsOf(name));
  return parts.length === 0 ? wordsOf(path.split('.').at(-1) ?? path) : parts.join(', ');
}

const wordsOf = (name: string): string =>
  name.replaceAll('_', ' ').replaceAll(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);
const singular = (name: string): string => wordsOf(name).replace(/s$/, '');
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Sentences that name a call are for programs. Without another one, the call becomes “the API”. */
function withoutCalls(text: string): string {
  if (!CALL.test(text)) return text;
  const others = text.split(/(?<=[.!?])\s+/).filter((sentence) => !CALL.test(sentence));
  if (others.length > 0) return others.join(' ');
  return text.replaceAll(CALLS, (call) => (call.endsWith('.') ? 'the API.' : 'the API'));
}
