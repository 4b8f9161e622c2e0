import { parseForeignForm, parseForeignJson } from './foreign-text.js';

describe('parseForeignJson', () => {
  it.each([
    '{"a":[1,{"b":"x,y,[{\\"]"}],"c":null}',
    '"text"',
    '12',
    '[]',
    `[${'"\\\\",'.repeat(100)}1]`,
    `{"a":"${',[{'.repeat(100_000)}"}`,
  ])('should parse what JSON.parse does: %.50s', (text) => {
    expect(parseForeignJson(text)).toEqual(JSON.parse(text));
  });

  it('should parse a full report', () => {
    const event = { email: 'a@b.example', event: 'delivered', id: 'x', at: 1 };
    expect(parseForeignJson(JSON.stringify(Array.from({ length: 5_000 }, () => event)))).toHaveLength(5_000);
  });

  it.each([
    ['a list of objects', `[${'{},'.repeat(1_000_000)}{}]`, 'more than 80000'],
    ['many keys', `{${Array.from({ length: 90_000 }, (_, at) => `"k${at}":1`).join()}}`, 'more than 80000'],
    ['deep nesting', '['.repeat(1_000_000), 'deeper than 64'],
    ['deep nesting in objects', '{"a":'.repeat(65), 'deeper than 64'],
  ])('should refuse %s before it is parsed', (_case, text, words) => {
    expect(() => parseForeignJson(text)).toThrow(words);
  });

  it.each(['', '{', '"', '"\\', '[1,]', '{"a":"'])('should refuse %j as JSON.parse does', (text) => {
    expect(() => parseForeignJson(text)).toThrow(SyntaxError);
  });
});

describe('parseForeignForm', () => {
  it.each(['', 'a=1&b=2&a=3', 'a+b=c+d%2B&x=%20 +', '?a=%ff&b=%zz&ü=ü', '&&=&a'])(
    'should read what URLSearchParams does: %j',
    (text) => {
      expect([...parseForeignForm(Buffer.from(text))]).toEqual([...new URLSearchParams(text)]);
    },
  );

  it('should leave the bytes as they are, because signatures cover them', () => {
    const bytes = Buffer.from('a+b');
    parseForeignForm(bytes);
    expect(bytes.toString()).toBe('a+b');
  });

  it('should refuse masses of fields before they are parsed', () => {
    expect(() => parseForeignForm(Buffer.from('&'.repeat(10_001)))).toThrow('more than 10000 fields');
  });
});
