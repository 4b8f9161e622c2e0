import { MAX_KEYS, refuseMassesOfKeys, TooManyKeys } from './json-masses.js';

const scan = (json: string) => (): void => refuseMassesOfKeys(undefined, undefined, Buffer.from(json));
const list = (entry: string, times: number): string => `[${Array.from({ length: times }, () => entry).join()}]`;

describe('refuseMassesOfKeys', () => {
  it.each([
    ['objects', list('{}', MAX_KEYS)],
    ['lists', list('[]', MAX_KEYS)],
    ['keys', `{${list('"k":1', MAX_KEYS).slice(1, -1)}}`],
    ['levels', '['.repeat(MAX_KEYS + 1)],
    ['objects behind texts', `["a\\"", "\\\\", ${list('{}', MAX_KEYS)}]`],
  ])('should refuse masses of %s', (_case, json) => {
    expect(scan(json)).toThrow(TooManyKeys);
  });

  it.each([
    ['what is just within the limit', list('{}', MAX_KEYS - 1)],
    ['the bytes of a file', list('1', MAX_KEYS * 2)],
    ['marks within texts', `["${'{[:'.repeat(MAX_KEYS)}"]`],
    [
      'marks behind escaped quotes and backslashes',
      `["\\"${'{'.repeat(MAX_KEYS)}", "\\\\", "${':'.repeat(MAX_KEYS)}"]`,
    ],
    ['a text without an end', `["${'{'.repeat(MAX_KEYS * 2)}`],
  ])('should let %s pass', (_case, json) => {
    expect(scan(json)).not.toThrow();
  });
});
