import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { mjmlToHtml } from './mjml.js';
import { renderEmail } from './render-email.js';
import { createRenderer } from './renderer.js';

const mail = (body: string, head = ''): string => `<mjml><mj-head>${head}</mj-head><mj-body>${body}</mj-body></mjml>`;
const column = (content: string): string => `<mj-section><mj-column>${content}</mj-column></mj-section>`;
const text = (content: string): string => column(`<mj-text>${content}</mj-text>`);
const render = async (content: string, context: Record<string, unknown> = {}): Promise<string> =>
  (await renderEmail({ content, contentType: 'mjml', context }, createRenderer())).html;

/** The compiler is loaded anew after a failure, which Jest's `require` does only then. */
const forgetCompiler = (): unknown => jest.resetModules();

describe('MJML', () => {
  it('should become the HTML of a mail, with the values of the message', async () => {
    const html = await render(
      mail(
        column('<mj-text mj-class="warm">Hello {{name}}</mj-text><mj-button href="{{url}}?a=1&amp;b=2">Go</mj-button>'),
        [
          '<mj-title>For {{name}}</mj-title>',
          '<mj-attributes><mj-class name="warm" color="#ff7700"/></mj-attributes>',
          '<mj-style>.x { color: red }</mj-style>',
        ].join(''),
      ),
      { name: 'Ada & Bob', url: 'https://example.com/a' },
    );
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).toContain('<title>For Ada &amp; Bob</title>');
    expect(html).toMatch(/color:#ff7700;">Hello Ada &amp; Bob<\/div>/);
    expect(html).toContain('<a href="https://example.com/a?a=1&amp;b=2"');
    expect(html).toContain('.x { color: red }');
    expect(html).toContain('@media only screen and (min-width:480px)');
    expect(html).not.toContain('fonts.googleapis.com');
  });

  it('should repeat and leave out parts, and take expressions that would be no XML', async () => {
    const source = mail(
      [
        '<mj-raw>{{#each items}}</mj-raw>',
        text('{{name}} {{#if (gt price 5)}}dear{{else}}cheap{{/if}} {{{mark}}}'),
        '<mj-raw>{{/each}}</mj-raw>',
        text(`{{! don't }}{{!-- <b> }} --}}{{~lowercase "<}} A>"~}}`),
      ].join(''),
    );
    const html = await render(source, {
      items: [
        { name: 'Tea', price: 9, mark: '<b>!</b>' },
        { name: 'Ink', price: 2, mark: '' },
      ],
    });
    expect(html).toContain('>Tea dear <b>!</b></div>');
    expect(html).toContain('>Ink cheap </div>');
    expect(html).toContain('>&lt;}} a&gt;</div>');
  });

  it('should leave expressions exactly as they are', () => {
    const expressions = [
      '{{a}}',
      '{{{b}}}',
      '{{~ c ~}}',
      '{{t \'x}}y\' z="{"}}',
      '{{!-- }} --}}',
      '{{#if a}}x{{/if}}',
      '{{[a b]}}',
    ];
    for (const expression of expressions) {
      expect(mjmlToHtml(mail(text(`hbs0; ${expression} hbsx`)))).toContain(`>hbs0; ${expression} hbsx</div>`);
    }
  });

  it('should make no element of a value', async () => {
    const html = await render(mail(text('{{{value}}}')), { value: '<mj-text>inner</mj-text>{{secret}}', secret: 'x' });
    expect(html).toContain('<mj-text>inner</mj-text>{{secret}}');
  });

  it.each([
    ['a text', 'Hello', 'it is no XML'],
    ['HTML', '<p>Hello</p>', 'not allowed there (line 1)'],
    ['nothing', '', 'it must be one <mjml> element'],
    ['an element that is left open', '<mjml><mj-body><mj-text>', 'an element is not closed'],
    ['an attribute without quotes', mail(text('<img src=x>')), 'it is no XML'],
    ['an unknown element', mail(column('<mj-foo/>')), 'MJML has no <mj-foo>'],
    ['a file', mail('<mj-include path="/etc/passwd"/>'), '<mj-include> is not supported'],
    ['a style sheet to inline', mail(text('a'), '<mj-style inline="inline">a{}</mj-style>'), 'inline="inline"'],
    ['an entity', `<!DOCTYPE x [<!ENTITY a "b">]>${mail(text('&a;'))}`, 'not allowed there (line 1)'],
  ])('should refuse %s, with words', (_, source, words) => {
    expect(() => mjmlToHtml(source)).toThrow(words);
  });

  it('should refuse what would fill the memory or the stack of the compiler, and compile the next', () => {
    const deep = (levels: number): string => mail(text('<div>'.repeat(levels) + '</div>'.repeat(levels)));
    expect(() => mjmlToHtml(deep(5_000))).toThrow('nested at most 100 levels deep');
    expect(mjmlToHtml(deep(90))).toContain('<div><div>');
    const carousel = (images: number): string =>
      mail(column(`<mj-carousel>${'<mj-carousel-image src="a"/>'.repeat(images)}</mj-carousel>`));
    expect(() => mjmlToHtml(carousel(1_000))).toThrow('at most 100 images');
    expect(() => mjmlToHtml(mail('<mj-section></mj-section>'.repeat(5_000)))).toThrow('at most 5000 elements');
    expect(() => mjmlToHtml(mail('<mj-section></mj-section>'.repeat(4_000)))).toThrow('longer than 500000');
    // Counted as closed, and open all the same.
    const hidden = `${'<div a="/>">'.repeat(4_500)}${'</div>'.repeat(4_500)}`;
    expect(() => mjmlToHtml(mail(text(hidden)))).toThrow('too much memory');
    forgetCompiler();
    expect(mjmlToHtml(mail(text('next')))).toContain('next');
  });

  it('should refuse what repeats long expressions, and expressions that its elements tear apart', () => {
    const all = `<mj-attributes><mj-all css-class="{{!-- ${'x'.repeat(100_000)} --}}"/></mj-attributes>`;
    expect(() => mjmlToHtml(mail(text('a').repeat(1_000), all))).toThrow('longer than 500000');
    const torn = `<mj-title>{{#if a}}</mj-title>`;
    expect(() => mjmlToHtml(mail(text('{{/if}}'), torn))).toThrow(/block|closed/);
  });

  it('should not be brought down later by the compiler that failed', async () => {
    const failures: unknown[] = [];
    const note = (error: unknown): unknown => failures.push(error);
    process.on('uncaughtException', note);
    try {
      for (let n = 0; n < 3; n += 1) {
        const hidden = `<p>${n}</p>${'<div a="/>">'.repeat(4_500)}${'</div>'.repeat(4_500)}`;
        expect(() => mjmlToHtml(mail(text(hidden)))).toThrow('too much memory');
        forgetCompiler();
        mjmlToHtml(mail(text(`next ${n}`)));
      }
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as () => void;
      for (let n = 0; n < 5; n += 1) {
        collect();
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      process.off('uncaughtException', note);
    }
    expect(failures).toEqual([]);
  });
});
