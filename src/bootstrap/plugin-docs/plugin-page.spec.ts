import { z } from 'zod';
import { pluginPage } from './plugin-page.js';

const DOCUMENT = { openapi: '3.1.1', info: { title: 'a', version: '1' }, paths: {} };
const NONE = {
  apiVersion: 1,
  providers: [],
  steps: [],
  helpers: [],
  operators: [],
  settings: [],
  events: [],
  routes: [],
};

describe('pluginPage', () => {
  it('should escape what plugins say of themselves, and link to nothing but addresses of the web', () => {
    const provider = {
      id: 'evil',
      channel: 'sms',
      displayName: '<script>alert(1)</script>',
      credentials: [{ key: 'a', type: 'string', required: true, secret: true, description: '"><img src=x>' }],
      docs: 'javascript:alert(1)',
      state: 'implemented',
      supports: {},
    } as const;
    const step = { type: 'a', input: z.object({ b: z.string().describe('<b>&amp;</b>') }) };
    const { content, contents, searchEntries } = pluginPage(
      [{ ...NONE, name: '@team/evil', providers: [provider], steps: [step] }],
      DOCUMENT,
      'plugins',
    );
    expect(content + contents).not.toMatch(/<script|<img|<b>|javascript:/);
    expect(content).toContain('&lt;b&gt;&amp;amp;&lt;/b&gt;');
    expect(searchEntries).toMatchObject([
      { url: 'plugins#team-evil', heading: '@team/evil' },
      { url: 'plugins#team-evil-provider-evil', heading: 'Provider <script>alert(1)</script>' },
      { url: 'plugins#team-evil-step-a', text: expect.stringContaining('<b>&amp;</b>') as string },
    ]);
  });

  it('should show only what a plugin adds', () => {
    const { content, contents } = pluginPage([{ ...NONE, name: 'quiet' }], DOCUMENT, 'plugins');
    expect(content).not.toContain('<h3');
    expect(contents.match(/<li/g)).toHaveLength(1);
  });
});
