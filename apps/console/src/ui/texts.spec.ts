import { durationOf, sinceOf } from '../durations.js';
import { textOfHtml } from './html-text.js';
import { prettyJson } from './pretty-json.js';

describe('durationOf', () => {
  it.each([
    [0, '< 1 ms'],
    [969, '969 ms'],
    [1_500, '1.5 s'],
    [45_000, '45 s'],
    [65_000, '1 min 5 s'],
    [7_200_000, '2 h'],
    [90_000_000, '1 d 1 h'],
  ])('should say %i as %s', (ms, text) => expect(durationOf(ms)).toBe(text));
});

describe('sinceOf', () => {
  const now = Date.parse('2026-02-01T12:00:00Z');
  it.each([
    ['2026-02-01T11:59:58Z', 'just now'],
    ['2026-02-01T11:58:00Z', '2 min ago'],
    ['2026-01-30T12:00:00Z', '2 d ago'],
    ['2026-02-01T14:00:00Z', 'in 2 h'],
  ])('should say %s as %s', (at, text) => expect(sinceOf(at, now)).toBe(text));
});

describe('textOfHtml', () => {
  it('should keep the lines and drop styles, scripts and comments', () => {
    const html = '<style>p{}</style><!-- x --><p>Hello&nbsp;<b>Ada</b></p><script>alert(1)</script><p>Order &#35;7</p>';
    expect(textOfHtml(html)).toBe('Hello Ada\n\nOrder #7');
  });

  it('should take what only looks like markup as text, and leave out what never ends', () => {
    expect(textOfHtml('1 < 2 <b>and</b> 3 <5')).toBe('1 < 2 and 3 <5');
    expect(textOfHtml('<!-- a <p>b</p> --><p>c</p><!doctype html><style>d')).toBe('c');
  });

  it('should take a large hostile mail in no time', () => {
    const started = performance.now();
    for (const part of ['<a', '<!--', '<script>', '&#', '<p ']) textOfHtml(part.repeat(500_000));
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it('should show what was escaped as it is read', () => {
    expect(textOfHtml('&lt;b&gt; &amp;amp; &unknown; &#x110000; &#x1F600;')).toBe('<b> &amp; &unknown; &#x110000; 😀');
  });
});

describe('prettyJson', () => {
  it('should indent values and texts that are JSON objects, and keep all other texts', () => {
    expect(prettyJson({ a: 1 })).toBe('{\n  "a": 1\n}');
    expect(prettyJson('{"a":1}')).toBe('{\n  "a": 1\n}');
    expect([prettyJson('{"a":'), prettyJson('7'), prettyJson(undefined)]).toEqual(['{"a":', '7', '']);
  });
});
