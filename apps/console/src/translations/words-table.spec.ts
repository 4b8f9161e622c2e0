import { filtered, lacking, type Locale, messagesOf, rowsOf } from './words-table.js';

const locale = (name: string, messages: Record<string, string>, isDefault = false): Locale => ({
  locale: name,
  isDefault,
  direction: 'ltr',
  keyCount: Object.keys(messages).length,
  updatedAt: '2026-01-01T00:00:00.000Z',
  messages,
});
const LOCALES = [locale('en', { b: 'B', a: 'Order' }, true), locale('de', { a: 'Bestellung' })];
const MISSED = [{ key: 'c', locale: 'de', count: 1, lastAt: '2026-01-01T00:00:00.000Z' }];

describe('rowsOf', () => {
  it('should have every key once, also those that are nowhere', () => {
    expect(rowsOf(LOCALES, MISSED)).toEqual([
      { key: 'a', messages: { en: 'Order', de: 'Bestellung' }, missed: [] },
      { key: 'b', messages: { en: 'B' }, missed: [] },
      { key: 'c', messages: {}, missed: ['de'] },
    ]);
  });
});

describe('filtered', () => {
  const keysOf = (text: string, onlyMissing: boolean): string[] =>
    filtered(rowsOf(LOCALES, MISSED), LOCALES, { text, onlyMissing }).map(({ key }) => key);

  it('should find keys and words, and what is missing', () => {
    expect(keysOf('', false)).toEqual(['a', 'b', 'c']);
    expect(keysOf('bestell', false)).toEqual(['a']);
    expect(keysOf('', true)).toEqual(['b', 'c']);
    expect(keysOf('order', true)).toEqual([]);
  });
});

describe('lacking', () => {
  it('should count the keys of the default that a locale has not', () => {
    expect(LOCALES.map((one) => lacking(one, LOCALES))).toEqual([0, 1]);
  });
});

describe('messagesOf', () => {
  it('should read plain files and those of herald pull', () => {
    expect(messagesOf('{"a": {"b": "x"}}')).toEqual({ a: { b: 'x' } });
    expect(messagesOf('{"locale": "de", "messages": {"a": "x"}}')).toEqual({ a: 'x' });
    expect(messagesOf('{"locale": "Sprache", "messages": "Nachrichten"}')).toEqual({
      locale: 'Sprache',
      messages: 'Nachrichten',
    });
    expect(() => messagesOf('{')).toThrow('The file is not JSON.');
    expect(() => messagesOf('[]')).toThrow('The file must be an object.');
  });
});
