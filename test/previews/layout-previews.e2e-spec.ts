import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { useSession, useHerald } from '../support/herald.js';

const api = useHerald();
const session = useSession(api);

interface Preview {
  content?: string;
  text?: string;
  faults: { path?: string; message: string; line?: number; column?: number }[];
}

async function preview(body: Json): Promise<Preview> {
  return dataOf<Preview>(await session.post('/v1/layouts/preview', body).expect(200));
}

describe('POST /v1/layouts/preview', () => {
  it('should render a layout that is not stored around a sample message', async () => {
    await session.put('/v1/organizations/branding', { color: '#00509e' }).expect(200);
    const content =
      '<style>h1 { color: {{branding.color}} }</style><header>{{company}} {{year}}</header>{{{body}}}<footer>{{subscriber.email}}</footer>';
    const variables = [{ name: 'year', type: 'String', required: false, defaultValue: '2026' }];
    const shown = await preview({ content, variables, payload: { company: '<Acme>' } });
    expect(shown.faults).toEqual([]);
    expect(shown.content).toContain('<header>&lt;Acme&gt; 2026</header>');
    expect(shown.content).toMatch(/<h1 style="color: ?#00509e;?">/);
    expect(shown.content).toContain('<p>Hello Ada,</p>');
    expect(shown.content).toContain('<footer>ada@example.com</footer>');
    expect(shown.text).toContain('Hello Ada,');
    expect(dataOf<unknown[]>(await session.get('/v1/layouts').expect(200))).toEqual([]);
  });

  it('should name the place of a fault', async () => {
    const { content, faults } = await preview({ content: '<body>\n{{#if a}}{{{body}}}</body>' });
    expect(content).toBeUndefined();
    expect(faults).toEqual([expect.objectContaining({ path: 'content', line: 2 })]);
    const unknown = await preview({ content: '{{{body}}}{{nothing like this}}' });
    expect(unknown.faults).toEqual([
      { path: 'content', line: 1, column: 11, message: expect.stringContaining('nothing') as string },
    ]);
  });

  it('should not render an expression that takes long to read', async () => {
    const { content, faults } = await preview({ content: `{{{body}}}\n{{a${'.a'.repeat(100_000)}}}` });
    expect(content).toBeUndefined();
    expect(faults).toEqual([
      { path: 'content', line: 2, message: expect.stringContaining('at most 2000 characters') as string },
    ]);
  });

  it.each([
    [{}, 'content is required'],
    [{ content: 5 }, 'content must be a string'],
    [{ content: 'x'.repeat(500_001) }, 'content must be shorter than or equal to 500000 characters'],
    [{ content: '{{{body}}}', payload: 'x' }, 'payload must be an object'],
  ])('should refuse %j', async (body, fault) => {
    const refused = await session.post('/v1/layouts/preview', body).expect(400);
    expect(faultsOf(refused)).toContainEqual(expect.stringContaining(fault));
  });

  it('should keep a layout that never ends from others', async () => {
    const many = Array.from({ length: 5_000 }, (_, n) => n);
    const loop = '{{#each a}}{{#each @root.a}}{{#each @root.a}}{{this}}{{/each}}{{/each}}{{/each}}';
    const { faults } = await preview({ content: `${loop}{{{body}}}`, payload: { a: many } });
    expect(faults).toHaveLength(1);
  });
});
