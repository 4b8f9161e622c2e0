import { gzipSync } from 'node:zlib';
import { type Document, type Operation, resolve, type Schema } from './routes.js';

export interface WorstBody {
  readonly kind: string;
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Below the limit of ordinary routes. */
const TEXT_CHARACTERS = 200_000;
/** Fields that take more share these. */
const SHORT_TEXT = 5_000;
const MAX_DEPTH = 6;
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

const upTo = (length: number, start: string, part: string, end = ''): string =>
  start + part.repeat(Math.max(0, Math.floor((length - start.length - end.length) / part.length))) + end;

/** Texts that lead parsers and regular expressions astray, up to a length. */
const TEXTS: Readonly<Record<string, (length: number) => string>> = {
  'a long expression': (length) => upTo(length, '{{a', '.a', '}}'),
  'many arguments': (length) => upTo(length, '{{concat', ' 1', '}}'),
  'many comments': (length) => upTo(length, '', '{{!-- x --}}' + 'x'.repeat(500)),
  'white space': (length) => upTo(length, 'x', ' \n', 'x'),
  'an address': (length) => upTo(length, 'a@', 'a.', '!'),
  tags: (length) => upTo(length, '', '<b><a href="'),
};

/** Bodies of one operation that take as long as possible to read. */
export function worstBodies(document: Document, { requestBody }: Operation): WorstBody[] {
  const schema = resolve(document, requestBody?.content['application/json']?.schema);
  const json = (kind: string, value: unknown): WorstBody => textBody(kind, JSON.stringify(value));
  const texts = countOfTexts(document, schema);
  return [
    textBody('masses of objects', `[${'{},'.repeat(60_000)}{}]`),
    textBody('masses of keys', keys(15_000)),
    textBody('nesting', '{"a":['.repeat(20_000)),
    json(
      'masses in each field',
      filled(document, schema, () => Array.from({ length: 2_000 }, () => ({}))),
    ),
    ...Object.entries(TEXTS).map(([kind, text]) =>
      json(
        `${kind} in each text`,
        filled(document, schema, ({ maxLength }) => text(lengthOf(texts, maxLength))),
      ),
    ),
    { ...textBody('a packed bomb', `[${'{},'.repeat(100_000)}{}]`, true) },
    { kind: 'a form', bytes: Buffer.from('a=+&'.repeat(20_000)), headers: FORM_TYPE },
  ];
}

/** Bodies that somebody without a key may send, whatever the route reads. */
export function worstReports(json: object, form: string): WorstBody[] {
  const own = JSON.stringify(json).slice(0, -1);
  const withOwn = (kind: string, more: string): WorstBody => textBody(kind, `${own},${more}`);
  return [
    textBody('masses of objects', `[${'{},'.repeat(80_000)}{}]`),
    textBody('masses of keys, as large as there may be', keys(420_000)),
    withOwn('masses of objects beside what is signed', `"x":[${'{},'.repeat(80_000)}{}]}`),
    withOwn('masses of keys beside what is signed', keys(18_000).slice(1)),
    withOwn('nesting beside what is signed', `"x":${'['.repeat(200_000)}`),
    withOwn('a long text beside what is signed', `"x":"${'\\u0041'.repeat(40_000)}"}`),
    textBody('a packed bomb', `[${'{},'.repeat(1_600_000)}{}]`, true),
    ...['&', '+', '%C3'].map((part) => ({
      kind: `a form of ${part}`,
      bytes: Buffer.from(`${form}&x=${part.repeat(Math.floor(4_800_000 / part.length))}`),
      headers: FORM_TYPE,
    })),
    ...['&', '+'].map((part) => ({
      kind: `a small form of ${part}`,
      bytes: Buffer.from(`${form}&x=${part.repeat(250_000)}`),
      headers: FORM_TYPE,
    })),
  ];
}

/** With each header and parameter that fits into a request. */
export function worstHeads(path: string): { path: string; headers: Record<string, string> }[] {
  const query = (part: (at: number) => string): string => {
    const parts: string[] = [];
    for (let at = 0, length = path.length; (length += part(at).length + 1) < 12_000; at++) parts.push(part(at));
    return `${path}${path.includes('?') ? '&' : '?'}${parts.join('&')}`;
  };
  const headers = Object.fromEntries(Array.from({ length: 900 }, (_header, at) => [`x-${at}`, '1']));
  return [
    { path: query((at) => `k${at}=1`), headers: {} },
    { path: query(() => 'a[]=1'), headers: {} },
    { path: query(() => 'a[b][c][d][e][f]=1'), headers: {} },
    { path: query(() => '%25%25=%C3%A9'), headers },
    { path, headers: { cookie: 'a=b; '.repeat(1_500), 'accept-language': 'en,'.repeat(1_000) } },
  ];
}

function textBody(kind: string, text: string, isPacked = false): WorstBody {
  const bytes = Buffer.from(text);
  if (!isPacked) return { kind, bytes, headers: JSON_TYPE };
  return { kind, bytes: gzipSync(bytes), headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } };
}

function keys(count: number): string {
  return `{${Array.from({ length: count }, (_key, at) => `"k${at}":1`).join()}}`;
}

/** An example of a body, with a value of the attacker in place of each free text. */
function filled(document: Document, schema: Schema, value: (schema: Schema) => unknown, depth = 0): unknown {
  const found = chosen(document, schema);
  const type = [found.type ?? 'object'].flat()[0];
  if (found.enum !== undefined) return found.enum[0];
  // A true one could make the environment read-only.
  if (type === 'boolean') return false;
  if (type === 'number' || type === 'integer') return 1;
  if (type === 'string') return value(found);
  if (depth >= MAX_DEPTH) return undefined;
  if (type === 'array') return [filled(document, found.items ?? {}, value, depth + 1)];
  const properties = Object.entries(found.properties ?? {});
  if (properties.length === 0) return { text: value({}) };
  return Object.fromEntries(properties.map(([name, child]) => [name, filled(document, child, value, depth + 1)]));
}

function chosen(document: Document, schema: Schema): Schema {
  const found = resolve(document, schema);
  const [first] = (found.oneOf ?? []).filter(({ type }) => type !== 'null');
  if (first !== undefined && found.properties === undefined) return chosen(document, first);
  if (found.allOf === undefined) return found;
  const parts = found.allOf.map((part) => chosen(document, part));
  return {
    ...found,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), found.properties) as Record<
      string,
      Schema
    >,
  };
}

function lengthOf(texts: number, maxLength = TEXT_CHARACTERS): number {
  return Math.min(maxLength, maxLength > SHORT_TEXT ? Math.floor(TEXT_CHARACTERS / texts) : maxLength);
}

/** Of those that may be long. */
function countOfTexts(document: Document, schema: Schema): number {
  let count = 0;
  filled(document, schema, ({ maxLength = Infinity }) => (count += Number(maxLength > SHORT_TEXT)));
  return Math.max(1, count);
}
