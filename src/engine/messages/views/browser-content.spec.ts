import { forBrowser, forBrowsers } from './browser-content.js';
import type { ActionType } from '../records/message.enums.js';

const contentOf = async (content: string): Promise<unknown> => (await forBrowser({ content })).content;

/** Everything that would run code or send data if a page inserted it. */
const VECTORS = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img src=x onerror="alert(1)"',
  '<img/src=x/onerror=alert(1)>',
  '<img src="javascript:alert(1)">',
  '<img src="data:image/svg+xml;base64,PHN2Zz4=">',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="java&Tab;script:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<form action="javascript:alert(1)"><button>x</button></form>',
  '<button formaction="javascript:alert(1)">x</button>',
  '<input onfocus=alert(1) autofocus>',
  '<details open ontoggle=alert(1)>x</details>',
  '<video><source onerror=alert(1)></video>',
  '<body onload=alert(1)>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<base href="javascript:alert(1)//">',
  '<link rel=stylesheet href="javascript:alert(1)">',
  '<style>@import "javascript:alert(1)"</style>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<p style="width:expression(alert(1))">x</p>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
  '<template><img src=x onerror=alert(1)></template>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<p title="`onmouseover=alert(1)">x',
  '<x onclick=alert(1)>x</x>',
];

describe('content for browsers', () => {
  it.each(VECTORS)('should make %s harmless', async (html) => {
    const clean = String(await contentOf(`<b>Hi</b> ${html}`));
    const tags = [...clean.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/ title="[^"]*"/, '')).join('');
    expect(tags).not.toMatch(/\son\w+|script|javascript|data:|expression|url\(|<(?!\/?(?:a|b|p|img|table)\b)/i);
    expect(clean).toContain('<b>Hi</b>');
  });

  it('should keep what messages are formatted with', async () => {
    const html =
      '<p style="color:red;text-align:center">Your <strong>order</strong> is <a href="https://shop.example/7?a=1&amp;b=2" rel="noopener noreferrer">here</a>.</p>' +
      '<ul><li>one</li></ul><img src="https://shop.example/a.png" alt="A" />';
    expect(await contentOf(html)).toBe(html);
  });

  it.each(['Tom & Jerry', '5 > 4', '&lt;b&gt;', 'Grüße 🎉', ''])('should not change the text %j', async (text) => {
    expect(await contentOf(text)).toBe(text);
  });

  it('should not let content cover or shadow parts of the page', async () => {
    const html = '<div id="app" class="modal" name="x" style="position:fixed;inset:0;color:#fff">x</div>';
    expect(await contentOf(html)).toBe('<div style="color:#fff">x</div>');
  });

  it('should show markup as text if parsing it would be slow', async () => {
    expect(await contentOf('<b>'.repeat(6_000))).toBe('&lt;b&gt;'.repeat(6_000));
  });

  it('should sanitize blocks and their links', async () => {
    const content = [
      { type: 'text', content: '<img src=x onerror=alert(1)>' },
      { type: 'button', url: 'javascript:alert(1)' },
    ];
    expect((await forBrowser({ content })).content).toEqual([
      { type: 'text', content: '<img src="x" />' },
      { type: 'button', url: '' },
    ]);
  });
});

describe('a message for browsers', () => {
  const unsafe = 'javascript:alert(1)';

  it('should have no unsafe links and pictures', async () => {
    const [message] = await forBrowsers([
      {
        _id: '1',
        cta: {
          type: 'redirect' as const,
          data: { url: unsafe, target: '_blank' },
          action: { buttons: [{ type: 'primary' as const, content: 'Go', url: 'java\tscript:x' }] },
        },
        actor: { type: 'system_custom' as const, data: unsafe },
        avatar: unsafe,
        overrides: { sendgrid: { apiKey: 'secret' } },
      },
    ]);
    expect(message).toEqual({
      _id: '1',
      cta: {
        type: 'redirect',
        data: { url: '', target: '_blank' },
        action: { buttons: [{ type: 'primary', content: 'Go', url: '' }] },
      },
      actor: { type: 'system_custom', data: '' },
      avatar: '',
      overrides: {},
    });
  });

  it('should keep safe links and pictures, and change no stored object', async () => {
    const stored = {
      content: '<i>Hi</i><script>x</script>',
      cta: {
        data: { url: '/orders/7' },
        action: { buttons: [{ type: 'primary' as const, content: 'Go', url: 'app://x' }] },
      },
      actor: { type: 'system_icon' as const, data: 'info' },
      avatar: 'https://shop.example/a.png',
    };
    const copy = structuredClone(stored);
    expect(await forBrowser(stored)).toEqual({ ...copy, content: '<i>Hi</i>' });
    expect(stored).toEqual(copy);
  });

  it('should have nothing that only operators and other subscribers know', async () => {
    const message = {
      directWebhookUrl: 'https://hooks.example/secret',
      errorText: 'credentials.apiKey is wrong',
      deviceTokens: ['token'],
      actorSubscriber: { firstName: 'Bob', email: 'bob@example.com', phone: '+15550100' },
    };
    expect(JSON.parse(JSON.stringify(await forBrowser(message)))).toEqual({
      deviceTokens: [],
      actorSubscriber: { firstName: 'Bob' },
    });
  });

  it('should have only buttons that clients can render', async () => {
    const buttons = ['primary', 'clicked', 'secondary', 'foo'].map((type) => ({
      type: type as ActionType,
      content: 'x',
    }));
    const { cta } = await forBrowser({ cta: { action: { buttons } } });
    expect(cta.action.buttons.map(({ type }) => type)).toEqual(['primary', 'secondary']);
  });

  it('should sanitize the same content once', async () => {
    const content = `<b>${'<i>x</i>'.repeat(20_000)}</b>`;
    await forBrowser({ content });
    const before = process.cpuUsage();
    for (let round = 0; round < 100; round++) await forBrowser({ content });
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(100);
  });
});
