import { extractVariables } from './extract-variables.js';
import { missingValues } from './missing-values.js';
import { isCheap } from './render-cost.js';
import { createRenderer } from './renderer.js';
import { parseTemplate, sizeFault } from './languages.js';
import { MAX_EXPRESSIONS } from './syntax-policy.js';
import { MAX_SOURCE_BYTES } from './syntax.js';

describe('parseTemplate', () => {
  describe('when a template is sound', () => {
    it.each([
      ['', 'empty'],
      ['Plain { text } and }}', 'without expressions'],
      ['{{name}} {{{html}}} {{& html}} {{user.first-name}} {{items.[0].name}}', 'paths'],
      ['{{#if a}}b{{else if c}}d{{else}}e{{/if}}', 'a chain of conditions'],
      ['{{#each items as |item index|}}{{index}}{{item}}{{@last}}{{../x}}{{/each}}', 'a loop'],
      ['{{items.0}} {{json items.1.name}} {{#each items.[2].parts}}{{/each}}', 'places in lists'],
      ['{{#section}}x{{/section}}{{^section}}y{{/section}}', 'sections'],
      ['{{#gt (lookup a "b") 2}}x{{/gt}}{{numberFormat n decimalLength=2}}', 'helpers'],
      ['{{!-- {{> nothing}} --}}{{! }}', 'comments'],
      ['\\{{> escaped}}', 'an escaped expression'],
      [`${'('.repeat(1000)} {{a}} ${')'.repeat(1000)}`, 'parentheses in the text'],
      ['{{#if a}}x{{else if b}}y{{/if}}'.repeat(300), 'many blocks one after another'],
    ])('should accept %j (%s)', (source) => {
      expect(parseTemplate(source)).toEqual({ ok: true });
    });
  });

  describe('when a template cannot be read', () => {
    it.each([
      ['{{#if a}}', 'a block or an expression is left open at the end (line 1)'],
      ['a\nb {{name', 'an expression holds a character that is not allowed there, or is not closed with "}}" (line 2)'],
      ['{{/a}}', 'a block is closed that was not opened (line 1)'],
      ['{{#a}}{{/b}}', 'the block "a" is closed as "b" (line 1, column 4)'],
      ['{{}}', '"}}" is not expected here (line 1)'],
      ['{{{a}}', '"}}" is not expected here (line 1)'],
      ['{{#a}}{{else}}{{else}}{{/a}}', '"else" is not expected here (line 1)'],
      ['{{a/../b}}', 'a path is not valid (line 1, column 3)'],
      ['{{!-- open', 'an expression cannot be read (line 1)'],
    ])('should say what is wrong with %j', (source, message) => {
      expect(parseTemplate(source)).toMatchObject({ ok: false, message });
    });
  });

  describe('when a template asks for what Herald does not run', () => {
    it.each([
      ['{{> header}}', 'partials ({{> name}}) are not available'],
      ['{{> (lookup . "x")}}', 'partials'],
      ['{{#> layout}}x{{/layout}}', 'partials'],
      ['{{#*inline "x"}}y{{/inline}}', 'inline partials and decorators'],
      ['{{* decorate}}', 'decorators'],
      ['{{{{raw}}}}{{x}}{{{{/raw}}}}', 'raw blocks'],
      ['{{constructor.constructor "return process"}}', 'there is no helper named "constructor.constructor"'],
      ['{{constructor.name}}', 'the name "constructor" is not allowed'],
      ['{{a.__proto__.b}}', 'the name "__proto__" is not allowed'],
      ['{{#with a as |constructor|}}{{/with}}', 'the name "constructor" is not allowed'],
      ['{{shout name}}', 'there is no helper named "shout" (line 1, column 1)'],
      ['{{json (shout name)}}', 'there is no helper named "shout"'],
      ['{{#repeat 5}}x{{/repeat}}', 'there is no helper named "repeat"'],
      ['{{log "x"}}', 'there is no helper named "log"'],
      ['{{a.b c=1}}', 'there is no helper named "a.b"'],
    ])('should refuse %j', (source, message) => {
      expect(parseTemplate(source)).toMatchObject({ ok: false, message: expect.stringContaining(message) as string });
    });

    it.each([
      ['nested blocks', `${'{{#if a}}'.repeat(40)}x${'{{/if}}'.repeat(40)}`, 'nested at most 32'],
      ['endless nesting', `${'{{#if a}}'.repeat(20_000)}x${'{{/if}}'.repeat(20_000)}`, 'nested'],
      ['a long chain of conditions', `{{#if a}}${'{{else if b}}'.repeat(5_000)}{{/if}}`, 'nested at most 32'],
      ['endless subexpressions', `{{eq ${'(eq '.repeat(20_000)}1${')'.repeat(20_000)}}}`, 'nested at most 32'],
      ['too many arguments', `{{eq ${'a '.repeat(MAX_EXPRESSIONS + 1)}}}`, 'at most 2000 characters'],
      ['nested subexpressions', `{{eq ${'(eq '.repeat(40)}1${')'.repeat(40)}}}`, 'nested at most 32'],
      ['too many expressions', '{{a}}'.repeat(MAX_EXPRESSIONS + 1), 'at most 2000 expressions'],
      ['too long a text', 'ü'.repeat(MAX_SOURCE_BYTES / 2 + 1), 'at most 500 kB'],
    ])('should refuse %s', (_, source, message) => {
      expect(parseTemplate(source)).toMatchObject({ ok: false, message: expect.stringContaining(message) as string });
    });
  });

  describe('when an expression or all of them would take long to parse', () => {
    const path = (parts: number): string => Array.from({ length: parts }, () => 'a').join('.');
    const pairs = Array.from({ length: 40_000 }, (_pair, at) => `k${at}=1`).join(' ');

    it.each([
      ['100 names', `{{${path(100)}}}`],
      ['2000 characters', `{{json "${'x'.repeat(1_985)}"}}`],
      ['long comments', `{{! ${'x'.repeat(100_000)} }}{{!-- ${'{{a.b}} '.repeat(1_000)} --}}`],
      ['long text that is escaped', `\\{{a}} \\{{ ${'a.b '.repeat(10_000)}`],
      ['braces in texts', `{{eq "}}" '}} it\\'s'}}{{b.[}}]}}${' a.b'.repeat(10_000)}`],
      ['2000 paths', '{{a.b.c}}'.repeat(2_000)],
    ])('should accept %s', (_, source) => {
      expect(parseTemplate(source)).toEqual({ ok: true });
    });

    it.each([
      ['a path of masses of names', `a\n{{${path(120_000)}}}`, 'at most 2000 characters', 2],
      ['masses of arguments', `{{concat ${'1 '.repeat(200_000)}}}`, 'at most 2000 characters', 1],
      ['masses of named arguments', `{{json a ${pairs}}}`, 'at most 2000 characters', 1],
      ['one that hides behind a text', `{{concat "}}" ${path(2_000)}}}`, 'at most 2000 characters', 1],
      ['one that hides behind a name', `{{a.[}}].${path(2_000)}}}`, 'at most 2000 characters', 1],
      ['one that hides behind an escaped one', `\\{{{{${path(2_000)}}}`, 'at most 2000 characters', 1],
      ['one that hides behind two backslashes', `\\\\{{${path(2_000)}}}`, 'at most 2000 characters', 1],
      ['one that is not closed', `{{${path(2_000)}`, 'at most 2000 characters', 1],
      ['a path of 101 names', `{{${path(101)}}}`, 'at most 200 names, values and signs', 1],
      ['parents of parents', `{{${'../'.repeat(101)}a}}`, 'at most 200 names, values and signs', 1],
      ['many long paths', `{{${path(50)}}}`.repeat(150), 'at most 10000 names, values and signs', undefined],
      [
        'many comments before a long text',
        '{{!-- x --}}'.repeat(100) + 'x'.repeat(400_000),
        'at most 37 comments',
        undefined,
      ],
    ])('should refuse %s', (_, source, message, line) => {
      const result = parseTemplate(source);
      expect(result).toMatchObject({ ok: false, message: expect.stringContaining(message) as string });
      expect('line' in result ? result.line : undefined).toBe(line);
    });

    it('should count all texts of a step together', () => {
      const content = (blocks: number): object => ({
        template: { content: Array.from({ length: blocks }, () => ({ content: '{{a.b}}'.repeat(300) })) },
      });
      expect(sizeFault(content(11))).toBeUndefined();
      expect(sizeFault(content(12))).toContain('more than 10000 names, values and signs in all its texts');
    });

    it('should go on being read where it was stored before', () => {
      const source = `{{${path(150)}}}`;
      expect(extractVariables(source)).toEqual([{ name: path(150), type: 'String' }]);
      expect(isCheap(source, { parts: 1, characters: 1 })).toBe(false);
      expect(missingValues([source], {})).toEqual([]);
      expect(createRenderer().render(`${source}x`, {})).toBe('x');
    });
  });
});
