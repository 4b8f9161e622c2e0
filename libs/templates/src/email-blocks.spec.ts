import { extractTriggerVariables } from './extract-trigger-variables.js';
import { missingInBlocks } from './block-scopes.js';
import { renderEmail, type EmailInput, type RenderedEmail } from './render-email.js';
import { renderedFields } from './rendered-fields.js';
import { createRenderer } from './renderer.js';
import { type EmailBlock, type InnerBlock, isWithoutContent } from './template-words.js';

const renderer = createRenderer();
const ITEMS = [
  { name: 'Lamp <b>', price: '€ 20', image: 'https://example.com/lamp.png' },
  { name: 'Chair', price: '€ 80', isNew: true },
];
const context = { order: { items: ITEMS }, name: 'Ada' };

function email(content: readonly EmailBlock[], rest: Partial<EmailInput> = {}): Promise<RenderedEmail> {
  return renderEmail({ content, contentType: 'editor', context, ...rest }, renderer);
}

const product: EmailBlock = {
  ...{ type: 'product', content: '{{item.name}}', url: '{{item.image}}', price: '{{item.price}}' },
  each: 'order.items',
};

describe('blocks of a mail', () => {
  it('should show a row for each product, also in the plain text', async () => {
    const { html, text, content } = await email([product]);
    expect(html.match(/<table/g)).toHaveLength(2);
    expect(html).toContain('<img src="https://example.com/lamp.png" alt="" width="64"');
    expect(html.match(/<img/g)).toHaveLength(1);
    expect(html).toContain('Lamp &lt;b&gt;');
    expect(text).toBe('Lamp <b> € 20\n\nChair € 80');
    expect(content).toMatchObject([
      { type: 'product', url: 'https://example.com/lamp.png' },
      { type: 'product', url: '' },
    ]);
  });

  it.each(['handlebars', 'liquid'] as const)('should repeat and leave out blocks in %s', async (language) => {
    const blocks: EmailBlock[] = [
      { type: 'text', content: '{{item.name}} for {{name}}', each: 'order.items', showIf: 'item.isNew' },
      { type: 'text', content: 'Never', showIf: 'order.discount' },
      { type: 'text', content: 'No items', each: 'order.nothing' },
      { type: 'text', content: 'Thanks', showIf: 'order.items' },
    ];
    expect((await email(blocks, { language })).text).toBe('Chair for Ada\nThanks');
  });

  it('should show columns beside each other, and below each other on a phone', async () => {
    const column = (content: string): { blocks: InnerBlock[] } => ({ blocks: [{ type: 'text', content }] });
    const columns: EmailBlock = { type: 'columns', content: '', columns: [column('One {{name}}'), column('Two')] };
    const { html, text } = await email([columns]);
    expect(html).toMatch(/<head><style type="text\/css">@media only screen and \(min-width:480px\)/);
    expect(html.match(/class="[^"]*mj-column-per-50"/g)).toHaveLength(2);
    expect(html).toContain('One Ada');
    expect(text).toBe('One Ada\n\nTwo');
    const framed = await email([columns], { layout: { content: '<main>{{{body}}}</main>' } });
    expect(framed.html).toMatch(/^<style type="text\/css">@media[^<]*<\/style><main>/);
    const repeated = await email([{ ...columns, each: 'order.items' }]);
    expect(repeated.html.match(/mj-column-per-50 \{/g)).toHaveLength(1);
    expect((await email([{ type: 'columns', content: '' }])).text).toBe('');
  });

  it('should mirror rows and columns of languages that are written from the right', async () => {
    const wording = { dictionary: { locale: 'ar', words: {} }, missing: new Set<string>(), timeZone: 'UTC' };
    const columns = { type: 'columns' as const, content: '', columns: [{ blocks: [] }, { blocks: [] }] };
    const { html } = await email([product, columns], { wording: wording as unknown as EmailInput['wording'] });
    expect(html).toContain('padding-left:16px');
    expect(html).toContain('direction:rtl');
  });

  it('should show links to other places, and none that could run code', async () => {
    const links = [
      { text: 'Mastodon & more', url: 'https://mastodon.example/{{name}}' },
      { text: '<script>x</script>Site', url: 'javascript:alert(1)' },
    ];
    const { html, text } = await email([{ type: 'social', content: '', links }]);
    expect(html).toContain('href="https://mastodon.example/Ada"');
    expect(html).not.toMatch(/javascript|<script/);
    expect(text).toBe('Mastodon & more (https://mastodon.example/Ada) · Site');
  });

  it.each<[string, EmailBlock]>([
    ['a price', { type: 'product', content: 'x', price: '{{{evil}}}' }],
    ['a picture', { type: 'product', content: 'x', url: '"><script>alert(1)</script>' }],
    ['a column', { type: 'columns', content: '', columns: [{ blocks: [{ type: 'text', content: '{{{evil}}}' }] }] }],
    ['a link', { type: 'social', content: '', links: [{ text: '{{{evil}}}', url: 'https://x.test' }] }],
  ])('should bring no script in by %s', async (_where, block) => {
    const evil = '<img src=x onerror=alert(1)><script>alert(2)</script>';
    const { html } = await email([block], { context: { evil } });
    expect(html).not.toMatch(/<script|onerror=alert/);
  });

  it.each<[string, EmailBlock, object]>([
    ['no list', { type: 'text', content: 'x', each: 'name' }, {}],
    ['a list that is too long', { type: 'text', content: 'x', each: 'many' }, { many: Array(1_001).fill(0) }],
    [
      'lists in lists that are too long',
      {
        type: 'columns',
        content: '',
        each: 'many',
        columns: [{ blocks: [{ type: 'text', content: 'x', each: 'many' }] }],
      },
      { many: Array(40).fill(0) },
    ],
  ])('should refuse %s', async (_name, block, more) => {
    await expect(email([block], { context: { ...context, ...more } })).rejects.toMatchObject({ name: 'TemplateError' });
  });

  it('should need the list, and nothing of its elements', () => {
    const content: EmailBlock[] = [
      product,
      { type: 'text', content: 'Hello {{name}}', showIf: 'order.discount' },
      {
        type: 'columns',
        content: '',
        each: 'rows',
        columns: [{ blocks: [{ type: 'text', content: '{{item}} {{x}}' }] }],
      },
    ];
    expect(extractTriggerVariables([{ template: { type: 'email', content } }]).variables).toEqual(
      expect.arrayContaining([
        { name: 'order.items', type: 'Array' },
        { name: 'order.discount', type: 'String' },
        { name: 'name', type: 'String' },
        { name: 'rows', type: 'Array' },
        { name: 'x', type: 'String' },
      ]),
    );
    expect(extractTriggerVariables([{ template: { type: 'email', content } }]).variables).toHaveLength(5);
  });

  it('should name what the elements of a list lack', () => {
    const missingOf = (blocks: readonly EmailBlock[]): string[] =>
      missingInBlocks(renderedFields('email', { content: blocks }), context);
    expect(missingOf([product])).toEqual(['order.items[].image']);
    expect(missingOf([{ ...product, showIf: 'item.image' }])).toEqual([]);
    expect(missingOf([{ type: 'text', content: '{{gone}}', showIf: 'gone' }])).toEqual([]);
    expect(missingOf([{ type: 'text', content: '{{item}}', each: 'gone' }])).toEqual(['gone']);
    expect(missingOf([{ type: 'text', content: '{{gone}} {{name}}' }])).toEqual(['gone']);
  });

  it('should be empty without texts', () => {
    expect(isWithoutContent({ content: [{ type: 'columns', content: '', columns: [{ blocks: [] }] }] })).toBe(true);
    expect(isWithoutContent({ content: [{ type: 'social', content: '', links: [] }] })).toBe(true);
    const inner: EmailBlock['columns'] = [{ blocks: [{ type: 'text', content: 'x' }] }];
    expect(isWithoutContent({ content: [{ type: 'columns', content: '', columns: inner }] })).toBe(false);
  });
});
