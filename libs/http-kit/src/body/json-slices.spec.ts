import fc from 'fast-check';
import { ValidationFailed } from '../errors/common.errors.js';
import { MAX_KEYS } from '../validation/hostile-json.js';
import { parseInSlices } from './json-slices.js';
import { MalformedJson } from './json-text.js';
import type { Portions } from '#libs/worker-pool';

fc.configureGlobal({ seed: 20_260_101, numRuns: 300 });

function finish<T>(work: Portions<T>): { value: T; turns: number } {
  for (let turns = 1; ; turns++) {
    const step = work.next();
    if (step.done === true) return { value: step.value, turns };
  }
}

const parse = (json: string, slice = 8): unknown => {
  const { value } = finish(parseInSlices(Buffer.from(json), slice));
  value.refuseMasses();
  return value.value;
};
const expected = (json: string): unknown => {
  try {
    return { value: JSON.parse(json) as unknown };
  } catch {
    return 'malformed';
  }
};
const actual = (json: string, slice?: number): unknown => {
  try {
    return { value: parse(json, slice) };
  } catch (error) {
    if (error instanceof MalformedJson) return 'malformed';
    throw error;
  }
};
const faultOf = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    if (error instanceof ValidationFailed) return error.messages;
    throw error;
  }
  return undefined;
};

/** Written with blanks of all kinds between its parts. */
const spaced = (json: string): string => json.replace(/(?<=[[\]{},:])(?=[[\]{},:\d"])/g, ' \n\t');
const values = fc.jsonValue({ maxDepth: 6 }).filter((value) => !/proto|constructor/.test(JSON.stringify(value)));

describe('parseInSlices', () => {
  it.each([4, 8, 50])('should make of JSON what the built-in parser makes of it, in slices of %d bytes', (slice) => {
    fc.assert(
      fc.property(values, (value) => {
        const json = JSON.stringify(value);
        expect(actual(json, slice)).toEqual(expected(json));
      }),
    );
  });

  it('should read long texts with escapes and characters of several bytes', () => {
    const texts = fc.string({
      unit: fc.constantFrom('a', '\\', '"', '\n', 'é', '\u{1F4A9}', '\u0001'),
      maxLength: 100,
    });
    fc.assert(
      fc.property(fc.array(texts), (list) => {
        const json = JSON.stringify({ list });
        expect(actual(json)).toEqual(expected(json));
        const escaped = json.replace(
          /[^\x20-\x7e]/g,
          (half) => `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
        expect(actual(escaped)).toEqual(expected(json));
      }),
    );
  });

  it('should refuse whatever the built-in parser refuses', () => {
    const mutated = fc
      .tuple(values, fc.nat(), fc.constantFrom(...'[]{},:"0 \\x'), fc.boolean())
      .map(([value, at, by, replaces]) => {
        const json = JSON.stringify({ a: [value, { b: value }] });
        const place = at % json.length;
        return json.slice(0, place) + by + json.slice(place + (replaces ? 1 : 0));
      });
    fc.assert(
      fc.property(mutated, (json) => {
        expect(actual(json)).toEqual(expected(json));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    '[[1,2,3,4,5,6],]',
    '[[1,2,3,4,5,6] 7]',
    '[1,2,3,4,5,,6,7,8]',
    '[,1,2,3,4,5,6,7]',
    '[1,2,3,4,5,6,7,8,]',
    '{"a":[1,2,3,4,5,6],}',
    '{"a":1[1,2,3,4,5,6,7]}',
    '{"a" [1,2,3,4,5,6,7]}',
    '{[1,2,3,4,5,6,7]}',
    '[1,2,3,4,5,6,7}',
    '[1,2,3,4,5,6,7]]',
    '[1,2,3,4,5,6,7] 1',
    '1 [1,2,3,4,5,6,7]',
    '"long enough a text" 1',
    '"long enough a text" "and another one"',
    '1, "long enough a text"',
    '{"long enough a key":1',
    '[1,2,3,4,5,6,7',
    '["long enough \\u12 a text"]',
    '["long enough a text',
    '["without a comma" "between two texts"]',
    '{"a":"without a comma""b":"between two"}',
    '',
    ' ',
    '\u0000[1,2,3,4,5,6,7,8]',
  ])('should refuse %j', (json) => {
    expect(expected(json)).toBe('malformed');
    expect(actual(json)).toBe('malformed');
  });

  it('should read blanks everywhere', () => {
    const json = spaced('{"a":[[1,22,333],{},[],{"b":{"c":"long enough a text"}}],"d":[]}');
    expect(actual(json, 64)).toEqual(expected(json));
  });

  it('should let the last of equal keys hold', () => {
    const json = '{"a":[1,2,3,4,5,6,7],"b":2,"a":1,"c":[1,2,3,4,5,6],"c":"long enough a text"}';
    expect(actual(json)).toEqual(expected(json));
  });

  it('should pause after each slice', () => {
    const list = (json: string): number => finish(parseInSlices(Buffer.from(json), 1_000)).turns;
    expect(list(`[${'{"a":1},'.repeat(10_000)}1]`)).toBeGreaterThan(80);
    expect(list(JSON.stringify('x'.repeat(100_000)))).toBeGreaterThan(80);
    expect(list(`[${'1,'.repeat(50_000)}1]`)).toBeGreaterThan(80);
  });

  it.each([
    ['[0,{"a":[1,2,3,{"constructor":1}]}]', '1.a.3.constructor is not allowed as a key'],
    ['{"__proto__":[1,2,3,4,5,6]}', '__proto__ is not allowed as a key'],
    ['{"a":1,"b":2,"c":3,"__proto__":1,"d":4}', '__proto__ is not allowed as a key'],
    ['{"a":["\\ud800 long enough a text"]}', 'a.0 must be valid Unicode'],
    ['[1,2,3,4,5,6,7,"\\ud800",8,9]', '7 must be valid Unicode'],
    ['{"a":{"b\\u0000":1,"c":2,"d":3}}', 'a has a key with a null character'],
    [`${'['.repeat(65)}${']'.repeat(65)}`, 'the body is nested deeper than 64 levels'],
  ])('should find what is hostile in %s', (json, fault) => {
    expect(faultOf(() => parse(json))).toEqual([fault]);
  });

  const repeated = (entry: string, times: number): string => `[${Array.from({ length: times }, () => entry).join()}]`;
  it.each([
    ['objects', repeated('{}', MAX_KEYS + 1)],
    ['lists', repeated('[]', MAX_KEYS + 1)],
    ['texts', repeated('""', MAX_KEYS + 1)],
    ['numbers', repeated('1', MAX_KEYS + 1)],
    ['keys', `{${repeated('"k":1', MAX_KEYS + 1).slice(1, -1)}}`],
    ['short lists of numbers', repeated('[1,2,3]', MAX_KEYS / 4 + 1)],
  ])('should refuse masses of %s', (_case, json) => {
    expect(faultOf(() => parse(json, 65_536))).toEqual([`the body has more than ${MAX_KEYS} keys and entries`]);
  });

  it.each([
    ['what is just within the limit', repeated('{}', MAX_KEYS)],
    ['marks within texts', `["${'{[:,'.repeat(MAX_KEYS)}"]`],
    ['marks behind escaped quotes', `["\\"${'{,'.repeat(MAX_KEYS)}", "\\\\", "${':,'.repeat(MAX_KEYS)}"]`],
  ])('should let %s pass', (_case, json) => {
    expect(actual(json, 65_536)).toEqual(expected(json));
  });

  it('should not count the bytes of a file that were made a text meanwhile', () => {
    const json = Buffer.from(`{"file":{"type":"Buffer","data":${repeated('7', MAX_KEYS * 2)}}}`);
    const { value } = finish(parseInSlices(json));
    expect(() => value.refuseMasses()).toThrow(ValidationFailed);
    (value.value as { file: unknown }).file = 'BwcH';
    expect(() => value.refuseMasses()).not.toThrow();
  });

  it.each([
    ['a number', '1'.repeat(400_000)],
    ['blanks', `[1,${' '.repeat(400_000)}1]`],
  ])('should not wait for the end of %s without end', (_case, json) => {
    expect(actual(json, 65_536)).toBe('malformed');
  });
});
