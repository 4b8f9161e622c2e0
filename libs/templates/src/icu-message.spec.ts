import { IcuMessage, messageFault } from './icu-message.js';

describe('messageFault', () => {
  it.each([
    'plain text with <b>markup</b> and #',
    '{n, plural, offset:1 one {#} other {{name} and #}}',
    '{n, selectordinal, one {#st} other {#th}}',
    '{d, date, ::yyyyMMMd} {t, time, medium} {n, number, percent} {n, number, ::compact-short}',
    '',
  ])('should accept %s', (message) => {
    expect(messageFault(message, 'ar')).toBeUndefined();
  });

  it.each([
    ['{name', 'is not an ICU message: expect argument closing brace'],
    ['{n, plural, one {x}}', 'is not an ICU message: missing other clause'],
    ['{n, number, bogus}', "has the unknown number style 'bogus' at {n}"],
    ['{s, select, other {{d, date, ugly}}}', "has the unknown date style 'ugly' at {d}"],
    [`{n, number, ::.${'0'.repeat(150)}}`, 'has a number style that cannot be used at {n}'],
    ['x'.repeat(5_001), 'may have at most 5000 characters'],
    ['{a}'.repeat(201), 'may hold at most 200 placeholders and cases'],
    [`${'{a, select, other {'.repeat(11)}x${'}}'.repeat(11)}`, 'may be nested at most 10 levels deep'],
  ])('should refuse %s', (message, fault) => {
    expect(messageFault(message, 'en')).toContain(fault);
  });

  it('should say where a message cannot be read', () => {
    expect(messageFault('line one\nand {count, plural, one {#}', 'en')).toMatch(/\(line 2, column \d+\)$/);
  });
});

describe('IcuMessage', () => {
  it('should use the plural forms of the locale', () => {
    const text = '{n, plural, zero {none} one {one} two {two} few {few} many {many} other {other}}';
    const arabic = new IcuMessage(text, 'ar', 'UTC');
    expect([0, 1, 2, 3, 11, 100].map((n) => arabic.format({ n }))).toEqual([
      'none',
      'one',
      'two',
      'few',
      'many',
      'other',
    ]);
  });

  it('should not depend on the machine where a locale is unknown', () => {
    expect(new IcuMessage('{n, number}', 'tlh', 'UTC').format({ n: 1234.5 })).toBe('1,234.5');
  });

  // The longest that one message can take: the event loop must not wait longer than 50 ms.
  it('should read hostile messages of the greatest length within the budget', () => {
    const hostile = [
      `{a, date, ::${"'a".repeat(2_400)}}`,
      '{a}'.repeat(199).padEnd(5_000, "'"),
      `{n, plural, other {${'#'.repeat(4_900)}}}`,
      `{n, plural, ${Array.from({ length: 190 }, (_, n) => `=${n}{x}`).join('')}other{x}}`,
      '<'.repeat(5_000),
      `${'{a,select,other{'.repeat(10)}${'x'.repeat(4_700)}${'}}'.repeat(10)}`,
    ];
    const cpuMs = (message: string): number => {
      const before = process.cpuUsage();
      new IcuMessageUnlessRefused(message).run();
      return process.cpuUsage(before).user / 1000;
    };
    // Collecting garbage and compiling count too, on other threads: the smallest of six is the message's own.
    for (const message of hostile) {
      expect(Math.min(...Array.from({ length: 6 }, () => cpuMs(message)))).toBeLessThan(50);
    }
  });
});

class IcuMessageUnlessRefused {
  constructor(private readonly message: string) {}

  run(): void {
    if (messageFault(this.message, 'de') === undefined)
      new IcuMessage(this.message, 'de', 'UTC').format({ a: 'x', n: 1 });
  }
}
