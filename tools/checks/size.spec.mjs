import { checkEnvelope } from './envelope.mjs';
import { parse } from './project.mjs';
import { checkSize, LIMITS, measure } from './size.mjs';

const lines = (count) => 'x;\n'.repeat(count);

describe('checkSize', () => {
  it.each([
    ['src/a/a.service.ts', LIMITS.file],
    ['src/a/a.controller.ts', LIMITS.controller],
    ['test/a.e2e-spec.ts', LIMITS.file],
  ])('should let %s have %i lines and no more', (path, limit) => {
    expect(checkSize([parse(path, lines(limit))])).toEqual([]);
    expect(checkSize([parse(path, lines(limit + 1))])).toEqual([expect.stringContaining(`${limit + 1} lines`)]);
  });

  it.each([
    ['a function', (body) => `function f() {\n${body}}`],
    ['a method', (body) => `class A {\n m() {\n${body}}\n}`],
    ['an arrow function', (body) => `const f = () => {\n${body}};`],
  ])('should find %s that is too long, with its line', (_kind, wrap) => {
    const faults = checkSize([parse('src/a/a.ts', `// first\n${wrap(lines(LIMITS.function))}`)]);
    expect(faults).toEqual([expect.stringMatching(/^src\/a\/a\.ts:[23]: function of 6[12] lines/)]);
    expect(checkSize([parse('src/a/a.ts', wrap(lines(LIMITS.function - 2)))])).toEqual([]);
  });

  it('should let suites of tests be long', () => {
    const text = `describe('x', () => {\n${lines(100)}});`;
    expect(checkSize([parse('src/a/a.spec.ts', text)])).toEqual([]);
  });

  it('should find a constructor with too many parameters', () => {
    const constructor = (count) => `class A { constructor(${Array.from({ length: count }, (_, i) => `p${i}`)}) {} }`;
    expect(checkSize([parse('src/a/a.ts', constructor(6))])).toEqual([]);
    expect(checkSize([parse('src/a/a.ts', constructor(7))])).toEqual([expect.stringContaining('7 constructor')]);
  });
});

describe('measure', () => {
  it('should name the longest file and function outside tests', () => {
    const files = [
      parse('src/a.ts', `function f() {\n${lines(3)}}\n`),
      parse('src/b.ts', lines(9)),
      parse('src/c.spec.ts', lines(99)),
    ];
    expect(measure(files)).toEqual({
      file: { where: 'src/b.ts', lines: 9 },
      function: { where: 'src/a.ts:1', lines: 5 },
    });
  });
});

describe('checkEnvelope', () => {
  const inController = (text) => checkEnvelope([parse('src/a/a.controller.ts', text)]);

  it.each([
    'class A { m() { return { data: 1 }; } }',
    'const f = () => ({ data: 1 });',
    'class A { m(data) { return { data, page: 1 } as Page; } }',
  ])('should find %s', (text) => {
    expect(inController(text)).toEqual([expect.stringContaining('src/a/a.controller.ts:1')]);
  });

  it('should leave other objects and other files alone', () => {
    expect(inController('class A { m() { return { dataset: 1 }; } }')).toEqual([]);
    expect(checkEnvelope([parse('src/a/a.service.ts', 'const f = () => ({ data: 1 });')])).toEqual([]);
  });
});
