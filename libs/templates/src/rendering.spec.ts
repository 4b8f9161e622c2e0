import { Rendering } from './rendering.js';
import { TemplateError } from './template-error.js';

const GROUP = 'environment';
/** Loops that come close to the limit of passes, as often as it takes to be busy for long. */
const SLOW = '{{#each list}}{{#each ../list}}{{this}}{{/each}}{{/each}}';
const list = Array.from({ length: 310 }, () => '');

let rendering: Rendering;

beforeAll(() => {
  rendering = new Rendering({ workers: 2, deadlineMs: 30_000 });
});

afterAll(() => rendering.close());

/** How often others have their turn on the event loop while something is under way. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  await work.catch(() => undefined);
  clearInterval(timer);
  return turns;
}

describe('Rendering', () => {
  it('should render small things at once and large ones in a thread, with the same result', async () => {
    const source = 'Hello {{name}}, {{#each list}}{{@index}}-{{/each}}{{uppercase name}} & {{{name}}}';
    const small = { name: "O'Neil <b>", list: [1, 2] };
    const large = { ...small, unused: 'x'.repeat(200_000) };
    const expected = "Hello O'Neil &lt;b&gt;, 0-1-O'NEIL &lt;B&gt; & O'Neil <b>";
    for (const values of [small, large]) {
      await expect(rendering.texts([{ source, as: 'html' }], values, GROUP)).resolves.toEqual([expected]);
      await expect(rendering.text('{{name}}', values, GROUP)).resolves.toBe(small.name);
    }
  });

  it('should give heavy values to threads as they are', async () => {
    const items = Array.from({ length: 3_000 }, (_, index) => ({ index, at: new Date(index) }));
    const source = '{{#each items}}{{index}};{{/each}}{{items.2.at}}';
    const text = await rendering.text(source, { items }, GROUP);
    expect(text).toBe(`${items.map(({ index }) => `${index};`).join('')}1970-01-01T00:00:00.002Z`);
    await expect(rendering.text('{{items.7.index}}', { items, other: 1 }, GROUP)).resolves.toBe('7');
  });

  it('should render a mail with a style sheet in a thread, with the same result', async () => {
    const input = {
      content: '<style>p { color: red }</style><p>Hello {{name}}</p>',
      contentType: 'customHtml' as const,
      subject: 'To {{name}}',
      context: { name: 'Ann' },
    };
    const mail = await rendering.email(input, GROUP);
    expect(mail.subject).toBe('To Ann');
    expect(mail.html).toContain('<p style="color: red;">Hello Ann</p>');
    expect(mail.text).toBe('Hello Ann');
  });

  it('should tell what is wrong with a template in the same words, wherever it is rendered', async () => {
    const large = { unused: 'x'.repeat(200_000) };
    const here = rendering.text('{{#each}}{{/each}}', {}, GROUP);
    await expect(here).rejects.toThrow(TemplateError);
    const message = await here.catch((error: Error) => error.message);
    await expect(rendering.text('{{#each}}{{/each}}', large, GROUP)).rejects.toThrow(
      new TemplateError(String(message)),
    );
    await expect(rendering.text('a\n{{nope x}}', large, GROUP)).rejects.toThrow(/no helper named "nope" \(line 2/);
  });

  it('should leave the event loop to others while something is slow', async () => {
    expect(await turnsDuring(Promise.all([1, 2, 3].map(() => rendering.text(SLOW, { list }, GROUP))))).toBeGreaterThan(
      10,
    );
  });

  it('should end what outlives its deadline with a clear error, and go on with others', async () => {
    const hasty = new Rendering({ workers: 1, deadlineMs: 200 });
    try {
      const mail = hasty.texts(
        Array.from({ length: 100 }, () => ({ source: SLOW, as: 'text' as const })),
        { list },
        'one',
      );
      await expect(mail).rejects.toThrow('rendering took longer than the 200 ms that it may take');
      await expect(mail).rejects.toBeInstanceOf(TemplateError);
      await expect(hasty.text('{{x}}', { x: 1, unused: 'x'.repeat(200_000) }, 'two')).resolves.toBe('1');
    } finally {
      await hasty.close();
    }
  });
});
