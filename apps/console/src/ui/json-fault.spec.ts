import fc from 'fast-check';
import { jsonFault } from './json-fault.js';

describe('jsonFault', () => {
  it.each([
    ['', 1, 1, 'Expected a value, but the text ends here'],
    ['{\n  "a": 1,\n}', 3, 1, 'Expected a name in double quotes'],
    ['{\n  "a" 1\n}', 2, 7, 'Expected a colon after the name'],
    ['{ "a": }', 1, 8, 'Expected a value after the colon'],
    ['{ "a": 1 "b": 2 }', 1, 10, 'Expected a comma or }'],
    ['[1 2]', 1, 4, 'Expected a comma or ]'],
    ['{ "a": "b }', 1, 12, 'The string has no closing double quote'],
    ['"\\x"', 1, 2, 'Invalid escape sequence in a string'],
    ["{ 'a': 1 }", 1, 3, 'Expected a name in double quotes'],
    ['{} x', 1, 4, 'Unexpected text after the value'],
    ['[01]', 1, 2, 'Expected a value'],
  ])('places the fault of %j', (text, line, column, message) => {
    expect(jsonFault(text)).toEqual({ message, line, column });
  });

  it('accepts what the platform accepts', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => jsonFault(JSON.stringify(value, undefined, 2)) === undefined));
  });

  it('refuses what the platform refuses', () => {
    const isValid = (text: string): boolean => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    const broken = fc
      .tuple(fc.jsonValue(), fc.nat(), fc.constantFrom('', ',', '"', '}', ']', '1', ' ', '\\', 'x', ':', '-', '.'))
      .map(([value, at, put]) => {
        const text = JSON.stringify(value);
        const place = at % (text.length + 1);
        return text.slice(0, place) + put + text.slice(place + 1);
      });
    fc.assert(fc.property(broken, (text) => (jsonFault(text) === undefined) === isValid(text)));
  });
});
