import { createRenderer, type Renderer } from './renderer.js';
import { TemplateError } from './template-error.js';
import { callsT, type Dictionary, type Wording, type Words } from './translate.js';

const WORDS: Record<string, Words> = {
  hello: { message: 'Hallo {name}!', locale: 'de' },
  orders: {
    message: '{count, plural, =0 {keine Bestellung} one {eine Bestellung} other {# Bestellungen}}',
    locale: 'de',
  },
  total: { message: 'Summe: {amount, number, ::currency/EUR}', locale: 'de' },
  due: { message: 'Fällig am {day, date, long} um {day, time, short}', locale: 'de' },
  who: { message: '{who, select, cat {die Katze} other {jemand}}', locale: 'de' },
  bold: { message: '<b>{name}</b> & Co', locale: 'de' },
  only: { message: 'Only in English', locale: 'en', isMissing: true },
  quoted: { message: "It''s '{'literal'}'", locale: 'de' },
  'a.b c': { message: 'dotted', locale: 'de' },
};
const DICTIONARY: Dictionary = { locale: 'de', words: WORDS, longest: 100, braces: 6 };

let renderer: Renderer;
let wording: Wording & { missing: Set<string> };

beforeEach(() => {
  renderer = createRenderer();
  wording = { dictionary: DICTIONARY, timeZone: 'Europe/Berlin', missing: new Set() };
});

function shown(source: string, data: Record<string, unknown> = {}, escape = true): string {
  return renderer.render(source, data, { escaping: escape ? 'html' : 'none', wording });
}

describe('{{t}}', () => {
  it.each([
    ["{{t 'hello' name=who}}", { who: 'Ada' }, 'Hallo Ada!'],
    ["{{t 'orders' count=n}}", { n: 0 }, 'keine Bestellung'],
    ["{{t 'orders' count=n}}", { n: 1 }, 'eine Bestellung'],
    ["{{t 'orders' count=n}}", { n: '12345' }, '12.345 Bestellungen'],
    ["{{t 'total' amount=sum}}", { sum: 1234.5 }, 'Summe: 1.234,50\u00a0€'],
    ["{{t 'who' who='cat'}} {{t 'who' who=1}}", {}, 'die Katze jemand'],
    ["{{t 'quoted'}}", {}, "It's {literal}"],
    ["{{t 'a.b c'}}", {}, 'dotted'],
    ['{{t key}}', { key: 'a.b c' }, 'dotted'],
    ["{{uppercase (t 'hello' name='x')}}", {}, 'HALLO X!'],
    ["{{#if (t 'hello')}}yes{{/if}}", {}, 'yes'],
    ["{{#each list}}{{t 'hello' name=this}}{{/each}}", { list: ['a', 'b'] }, 'Hallo a!Hallo b!'],
  ])('should render %s with %j', (source, data, expected) => {
    expect(shown(source, data)).toBe(expected);
    expect([...wording.missing]).toEqual([]);
  });

  it('should format dates in the zone of the reader', () => {
    expect(shown("{{t 'due' day='2026-12-31T23:30:00Z'}}")).toBe('Fällig am 1. Januar 2027 um 00:30');
  });

  it('should show values that are no numbers or dates as they are, and missing ones empty', () => {
    expect(shown("{{t 'orders' count='many'}}")).toBe('many Bestellungen');
    expect(shown("{{t 'orders'}}")).toBe(' Bestellungen');
    expect(shown("{{t 'due' day='soon'}}")).toBe('Fällig am soon um soon');
    expect(shown("{{t 'hello'}}")).toBe('Hallo !');
  });

  it('should escape message and values as it does any value, and only the values in three braces', () => {
    const data = { who: '<i>Ada</i>' };
    expect(shown("{{t 'bold' name=who}}", data)).toBe('&lt;b&gt;&lt;i&gt;Ada&lt;/i&gt;&lt;/b&gt; &amp; Co');
    expect(shown("{{{t 'bold' name=who}}}", data)).toBe('<b>&lt;i&gt;Ada&lt;/i&gt;</b> & Co');
    expect(shown("{{{t 'bold' name=who}}}", data, false)).toBe('<b><i>Ada</i></b> & Co');
  });

  it('should name what is missing, and show the default locale or the key', () => {
    expect(shown("{{t 'only'}} {{t 'none' a=1}} {{t nothing}}")).toBe('Only in English none ');
    expect([...wording.missing]).toEqual(['only', 'none', '']);
    for (let number = 0; number < 50; number += 1) shown('{{t key}}', { key: `key-${number}` });
    expect(wording.missing.size).toBe(20);
  });

  it('should show keys without a dictionary', () => {
    expect(renderer.render("{{t 'hello' name=1}}", {})).toBe('hello');
  });

  it('should leave a value named t what it was', () => {
    const data = { t: 'value', list: [{ t: 1 }] };
    expect(shown('{{t}} {{this.t}} {{#each list}}{{t}}{{/each}} {{#t}}block{{/t}} {{uppercase t}}', data)).toBe(
      'value value 1 block VALUE',
    );
  });

  it('should not reach what objects inherit', () => {
    for (const key of ['constructor', '__proto__', 'toString']) expect(shown('{{t key}}', { key })).toBe(key);
    const words = { evil: { message: '{constructor} {__proto__}', locale: 'de' } };
    wording = { ...wording, dictionary: { ...DICTIONARY, words } };
    expect(shown("{{t 'evil'}}")).toBe(' ');
  });

  it('should refuse an output without bounds', () => {
    const words = { much: { message: '{a}'.repeat(200), locale: 'de' } };
    wording = { ...wording, dictionary: { ...DICTIONARY, words } };
    expect(() => shown("{{t 'much' a=long}}", { long: 'x'.repeat(10_000) })).toThrow(TemplateError);
  });
});

describe('callsT', () => {
  it('should find calls and no values', () => {
    for (const source of ["{{t 'a'}}", '{{{t key}}}', '{{~ t  key}}', "{{#if (t 'a')}}", "{{#t 'a'}}"]) {
      expect([source, callsT(source)]).toEqual([source, true]);
    }
    for (const source of ['{{t}}', '{{ t }}', '{{at b}}', 'don t worry', '{{this.t}}', '{{#t}}']) {
      expect([source, callsT(source)]).toEqual([source, false]);
    }
  });
});
