import Handlebars from 'handlebars';
import { createRenderer, type Renderer } from './renderer.js';
import { MAX_EXPRESSIONS } from './syntax-policy.js';
import { TemplateError } from './template-error.js';

let renderer: Renderer;

beforeEach(() => {
  renderer = createRenderer();
});

function fault(template: string, context: Record<string, unknown> = {}, options = {}): TemplateError {
  try {
    // on a busy machine the limit of time must not come before the one that is meant
    renderer.render(template, context, { timeoutMs: 600_000, ...options });
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error('The template rendered without a fault.');
}

/** Processor time, which a busy machine does not stretch as it does the clock. */
function cpuMs(): number {
  return process.cpuUsage().user / 1000;
}

describe('render', () => {
  describe('when a template is sound', () => {
    const context = {
      name: 'Ada',
      zero: 0,
      no: false,
      nothing: null,
      user: { name: 'Bo', json: 'own', tags: ['x', 'y'] },
      items: [
        { name: 'a', parts: [1, 2] },
        { name: 'b', parts: [] },
      ],
      'two words': 'spaced',
      12: 'twelve',
      nested: [[1, [2]], 3],
      yes: true,
    };

    // Handlebars itself is the judge of what a template means; the guards must not change it.
    it.each([
      'Hello {{name}}!',
      '{{zero}} {{no}} {{nothing}} {{missing}} {{missing.deep}} {{{zero}}} {{{no}}}',
      '{{"two words"}} {{[two words]}} {{12}} {{user.tags.[1]}} {{user.tags.length}}',
      '{{#if user}}{{user.name}}{{else}}none{{/if}} {{#unless no}}x{{/unless}}',
      '{{#if missing}}a{{else if zero}}b{{else if yes}}c{{else}}d{{/if}}',
      '{{#if zero includeZero=true}}zero counts{{/if}}',
      '{{#each items}}{{@index}}{{#if @first}}first{{/if}}{{name}}{{#each parts}}{{this}}{{../name}}{{@../index}}{{else}}-{{/each}}{{#unless @last}}, {{/unless}}{{/each}}',
      '{{#each items as |item i|}}{{i}}:{{item.name}} {{/each}}',
      '{{#each user as |value key|}}{{key}}={{value}};{{/each}}{{#each user}}{{@key}}{{/each}}',
      '{{#with user}}{{name}} {{../name}} {{@root.name}} {{this.json}} {{./json}}{{else}}x{{/with}}',
      '{{#with user as |u|}}{{u.name}}{{name}}{{/with}}',
      '{{#items}}{{name}}{{/items}}{{#user}}{{name}}{{/user}}{{#yes}}{{name}}{{/yes}}{{^missing}}none{{/missing}}{{#no}}a{{^}}b{{/no}}',
      '{{lookup user "name"}} {{lookup items.[1] "name"}} {{#each items}}{{lookup ../user.tags @index}}{{/each}}',
      '  {{#if yes}}  \n  own line\n  {{/if}}\n{{~name~}}  x  {{~#if yes~}}  y  {{~/if}}',
      '{{! comment }}{{!-- {{name}} --}}\\{{name}} \\\\{{name}}',
      '{{nested}} {{user}}',
      '{{#each user.tags as |json|}}{{json}}{{/each}}',
      '{{#each items}}{{#with this}}{{#each parts}}{{../../name}}{{/each}}{{/with}}{{/each}}',
    ])('should render %j like Handlebars', (template) => {
      expect(renderer.render(template, context)).toBe(Handlebars.compile(template)(context));
    });

    it('should render the same with a cached template and other data', () => {
      expect(['a', 'b', 'c'].map((name) => renderer.render('{{name}}', { name }))).toEqual(['a', 'b', 'c']);
    });

    it('should keep templates with and without escaping apart', () => {
      expect(renderer.render('{{a}}', { a: '<' })).toBe('&lt;');
      expect(renderer.render('{{a}}', { a: '<' }, { escaping: 'none' })).toBe('<');
      expect(renderer.render('{{a}}', { a: '<' })).toBe('&lt;');
    });
  });

  describe('when values hold markup', () => {
    it('should escape all but apostrophes', () => {
      const attack = `<img src=x onerror="alert('1')">\`&`;
      expect(renderer.render('{{a}}', { a: attack })).toBe(
        "&lt;img src&#x3D;x onerror&#x3D;&quot;alert('1')&quot;&gt;&#x60;&amp;",
      );
    });

    it('should put values out as they are only where the author says so', () => {
      expect(renderer.render('{{{a}}}{{& a}}', { a: '<b>' })).toBe('<b><b>');
    });

    it('should not take markup-like objects for safe text', () => {
      const context = {
        a: { toHTML: '<script>', string: '<script>' },
        b: { toString: 1 },
        c: [{ toString: null }, '<'],
      };
      expect(renderer.render('{{a}}{{b}}{{c}}', context)).toBe('[object Object][object Object][object Object],&lt;');
    });

    it('should show dates as ISO texts', () => {
      expect(renderer.render('{{d}}', { d: new Date(0) })).toBe('1970-01-01T00:00:00.000Z');
    });
  });

  describe('when a template reaches for prototypes', () => {
    const secret = Object.create({ inherited: 'secret' }) as Record<string, unknown>;
    const context = { user: secret, key: 'constructor', proto: '__proto__', list: [1], text: 'abc' };

    it.each([
      '{{user.inherited}}',
      '{{lookup user "constructor"}}',
      '{{lookup user key}}',
      '{{lookup user proto}}',
      '{{lookup (lookup user key) key}}',
      '{{lookup list "push"}}{{list.map}}{{text.trim}}{{text.at}}',
      '{{toString}}{{valueOf}}{{hasOwnProperty}}',
      '{{#each (unique list "constructor.name")}}{{this}}{{/each}}',
      '{{#with (lookup user key)}}{{name}}{{/with}}',
      '{{#each (groupBy list key)}}{{key}}{{/each}}',
    ])('should give nothing for %j', (template) => {
      expect(renderer.render(template, context)).toBe('');
    });

    it.each([
      '{{constructor}}',
      '{{user.constructor.constructor}}',
      '{{constructor.constructor "return process"}}',
      '{{#with user.__proto__}}{{/with}}',
      '{{user.[__proto__].x}}',
      '{{@root.constructor}}',
      '{{#with "constructor" as |constructor|}}{{/with}}',
    ])('should refuse %j', (template) => {
      expect(fault(template, context)).toBeInstanceOf(TemplateError);
    });

    it('should not run code that comes as a template', () => {
      // A known way out of Handlebars: building a function from the constructor of one.
      const template = `{{#with "s" as |string|}}{{#with (lookup string "sub") as |f|}}{{f}}{{#with (lookup f "constructor")}}
        {{this "return process.env"}}{{/with}}{{/with}}{{/with}}`;
      expect(fault(template).message).toContain('there is no helper');
    });
  });

  describe('when a template would take too much', () => {
    const many = { items: Array.from({ length: 2000 }, (_, index) => index) };

    it('should end nested loops', () => {
      const template = '{{#each items}}{{#each ../items}}{{#each ../../items}}{{/each}}{{/each}}{{/each}}';
      expect(fault(template, many).message).toBe('blocks and loops run more than 100000 times');
    });

    it('should end sections that loop', () => {
      expect(fault('{{#items}}{{#@root.items}}{{/@root.items}}{{/items}}', many).message).toContain('100000 times');
    });

    it('should end output that grows by plain text', () => {
      const template = `{{#each items}}${'x'.repeat(1000)}{{/each}}`;
      expect(fault(template, many).message).toBe('the output is longer than 1000000 characters');
    });

    it('should end output that grows by values', () => {
      const context = { ...many, big: 'y'.repeat(10_000) };
      expect(fault('{{#each items}}{{@root.big}}{{/each}}', context).message).toContain('longer than 1000000');
      expect(fault('{{big}}', context, { maxOutput: 9_999 }).message).toContain('longer than 9999');
    });

    it('should end work that takes long between outputs', () => {
      const list = Array.from({ length: 10_000 }, (_, index) => ({ id: (index * 7919) % 10_000 }));
      const start = cpuMs();
      const template = `${'{{#if (sortBy list "id")}}{{/if}}'.repeat(450)}`;
      expect(fault(template, { list }, { timeoutMs: 50 }).message).toBe('rendering takes longer than 50 ms');
      expect(cpuMs() - start).toBeLessThan(3000);
    });

    it('should end work within a single expression', () => {
      const list = Array.from({ length: 10_000 }, (_, index) => index);
      const template = `{{eq ${'(sortBy list) '.repeat(900)}}}`;
      expect(fault(template, { list }, { timeoutMs: 50 }).message).toBe('rendering takes longer than 50 ms');
    });

    it('should manage the largest template that is allowed', () => {
      const blocks = Math.floor(MAX_EXPRESSIONS / 3);
      const template = Array.from({ length: blocks }, (_, index) => `{{#if a}}{{b${index}}}{{/if}}`).join('');
      const start = cpuMs();
      expect(renderer.render(template, { a: true, b0: 'x', b7: 'y' }, { timeoutMs: 600_000 })).toBe('xy');
      expect(cpuMs() - start).toBeLessThan(3000);
    });

    it.each(['sortBy', 'unique', 'groupBy'])('should not let %s work on a list of any length', (helper) => {
      const list = Array.from({ length: 10_001 }, (_, index) => index);
      expect(fault(`{{#if (${helper} list)}}{{/if}}`, { list }).message).toBe(
        'a helper takes lists of at most 10000 items',
      );
    });

    it('should refuse a source that is too large', () => {
      expect(fault('x'.repeat(500_001)).message).toBe('a template may hold at most 500 kB');
    });

    it('should render as before after a fault', () => {
      fault('{{#each items}}{{#each ../items}}{{/each}}{{/each}}', many);
      expect(renderer.render('{{#each items}}x{{/each}}', { items: [1, 2] })).toBe('xx');
    });
  });

  describe('when a template is used wrongly', () => {
    it.each([
      ['{{#if}}x{{/if}}', '"if" needs exactly one argument'],
      ['{{#with a b}}x{{/with}}', '"with" needs exactly one argument'],
      ['{{#each}}x{{/each}}', '"each" needs a list or an object'],
      ['{{#unless a b}}x{{/unless}}', '"unless" needs exactly one argument'],
      ['{{> partial}}', 'partials'],
      ['line\n{{#if a}}', 'left open at the end (line 2)'],
    ])('should say what is wrong with %j', (template, message) => {
      expect(fault(template).message).toContain(message);
    });

    it('should keep the inside to itself', () => {
      const error = fault('{{#if}}x{{/if}}');
      expect(error.message).not.toMatch(/node_modules|\.js|\/|handlebars/i);
      expect(error.cause).toBeUndefined();
    });
  });
});
