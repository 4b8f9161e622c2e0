import { createRenderer } from './renderer.js';
import { renderEmail, type EmailInput, type RenderedEmail } from './render-email.js';
import { TemplateError } from './template-error.js';
import type { EmailBlock } from './template-words.js';

const renderer = createRenderer();

function email(input: Partial<EmailInput>): Promise<RenderedEmail> {
  return renderEmail({ content: [], contentType: 'editor', context: { name: 'Ada' }, ...input }, renderer);
}

function custom(content: string, rest: Partial<EmailInput> = {}): Promise<RenderedEmail> {
  return email({ content, contentType: 'customHtml', ...rest });
}

function text(content: string, rest: Partial<EmailBlock> = {}): EmailBlock {
  return { type: 'text', content, ...rest };
}

/** Processor time, which a busy machine does not stretch as it does the clock. */
function cpuMs(): number {
  return process.cpuUsage().user / 1000;
}

describe('renderEmail', () => {
  describe('when the head lines are rendered', () => {
    it('should trim them and show values as they are', async () => {
      const context = { name: "Tom & Jerry's" };
      const lines = { subject: ' Hi {{name}} ', senderName: '{{name}} ', preheader: ' News for {{name}}' };
      expect(await email({ ...lines, context })).toMatchObject({
        subject: "Hi Tom & Jerry's",
        senderName: "Tom & Jerry's",
        preheader: "News for Tom & Jerry's",
      });
    });

    it('should keep them on one line, whatever a value holds', async () => {
      const { subject, senderName } = await email({
        subject: 'Hi {{name}}',
        senderName: '{{name}}',
        context: { name: 'x\r\nBcc: victim@example.com\u0000' },
      });
      expect(subject).toBe('Hi x Bcc: victim@example.com');
      expect(senderName).toBe('x Bcc: victim@example.com');
    });

    it('should be empty when there are none', async () => {
      expect(await email({})).toMatchObject({ subject: '', senderName: '', preheader: '', content: [] });
    });
  });

  describe('when the content is made of blocks', () => {
    const blocks: EmailBlock[] = [
      text('Hello <b>{{name}}</b>', { styles: { textAlign: 'center' } }),
      { type: 'button', content: 'Open {{name}}', url: 'https://example.com/?q={{name}}&x=1' },
    ];

    it('should render each with its alignment and its link', async () => {
      const { html } = await email({ content: blocks });
      expect(html).toMatch(/<div style="[^"]*text-align:center[^"]*">Hello <b>Ada<\/b><\/div>/);
      expect(html).toMatch(/<a href="https:\/\/example\.com\/\?q=Ada&amp;x=1"[^>]*>Open Ada<\/a>/);
      expect(html).toMatch(/^<!doctype html>/);
    });

    it('should have headings, images, dividers, footers and buttons of other colors, also in the plain text', async () => {
      const {
        html,
        text: plain,
        content,
      } = await email({
        content: [
          { type: 'heading', content: 'Hello {{name}}', styles: { textAlign: 'center' } },
          { type: 'image', content: '<b>The "map"</b> of {{name}}', url: 'https://example.com/map.png' },
          { type: 'divider', content: '' },
          {
            type: 'button',
            content: 'Go',
            url: 'https://example.com',
            styles: { backgroundColor: '#0b5fff', color: '#111' },
          },
          { type: 'footer', content: '<a href="https://example.com/off">Unsubscribe</a>' },
        ],
        context: { name: 'A"da<' },
      });
      expect(html).toMatch(/<h2 style="[^"]*text-align:center[^"]*">Hello A(?:"|&quot;)da&lt;<\/h2>/);
      expect(html).toContain('alt="The &quot;map&quot; of A&quot;da&lt;"');
      expect(html).toContain('<hr style=');
      expect(html).toMatch(/background: ?#0b5fff; ?color: ?#111;/);
      expect(html).toMatch(/font-size: ?12px/);
      expect(plain).toContain('The "map" of A"da<');
      expect(plain).toContain('----------');
      expect(plain).toContain('Unsubscribe (https://example.com/off)');
      expect(content).toMatchObject([
        { type: 'heading' },
        { type: 'image' },
        { type: 'divider' },
        { type: 'button' },
        { type: 'footer' },
      ]);
    });

    it('should show the alternative text of an image without a usable address', async () => {
      const { html } = await email({ content: [{ type: 'image', content: 'Map', url: 'javascript:alert(1)' }] });
      expect(html).toContain('>Map</div>');
      expect(html).not.toContain('javascript');
    });

    it('should give the rendered blocks for the message', async () => {
      expect((await email({ content: blocks })).content).toEqual([
        { type: 'text', content: 'Hello <b>Ada</b>', url: '', styles: { textAlign: 'center' } },
        { type: 'button', content: 'Open Ada', url: 'https://example.com/?q=Ada&x=1', styles: { textAlign: 'left' } },
      ]);
    });

    it.each([
      [undefined, '#0b6b5d'],
      ['#00ff00', '#00ff00'],
      ['rgb(1, 2, 3)', 'rgb(1, 2, 3)'],
      ['red;}</style><script>', '#0b6b5d'],
      ['url(javascript:alert(1))', '#0b6b5d'],
    ])('should colour buttons of branding %s with %s', async (color, expected) => {
      const { html } = await email({ content: blocks, branding: { color } });
      expect(html).toContain(`background:${expected};color:#ffffff`);
    });

    it.each([
      ['https://example.com/logo.png', true],
      ['javascript:alert(1)', false],
      [undefined, false],
    ])('should show the logo %s: %s', async (logo, isShown) => {
      const { html } = await email({ content: blocks, branding: { logo } });
      expect(/<img [^>]*src="https:\/\/example\.com\/logo\.png"/.test(html)).toBe(isShown);
      expect(html).not.toContain('javascript:');
    });

    it('should offer branding to templates', async () => {
      const { html } = await email({
        content: [text('{{branding.color}} {{branding.logo}}')],
        branding: { logo: 'l.png' },
      });
      expect(html).toContain('#0b6b5d l.png');
    });
  });

  describe('when content tries to bring scripts in', () => {
    it.each([
      ['<script>alert(1)</script>safe', /<script|alert/],
      ['<img src=x onerror=alert(1)>', /onerror|alert/],
      ['<a href="javascript:alert(1)">x</a>', /javascript/],
      ['<a href="jav&#x09;ascript:alert(1)">x</a>', /script:/],
      ['<svg><script>alert(1)</script></svg>', /svg|alert/],
      ['<iframe src="https://evil.example"></iframe>', /iframe|evil/],
      ['<form action="https://evil.example"><input></form>', /form|input|evil/],
      ['<img src="data:text/html;base64,PHNjcmlwdD4=">', /data:/],
      ['<style>body{display:none}</style>x', /display:none/],
      ['{{{markup}}}', /onclick|alert/],
      ['{{markup}}', /<b onclick/],
      ['<meta http-equiv="refresh" content="0;url=https://evil.example">', /http-equiv|evil/],
    ])('should render %j without them', async (content, danger) => {
      const context = { markup: '<b onclick="alert(1)">x</b>' };
      for (const input of [[text(content)], content]) {
        const { html, content: kept } = await email({ content: input, context });
        expect(html.replace(/<head>[^]*<\/head>/, '')).not.toMatch(danger);
        expect(JSON.stringify(kept)).not.toMatch(danger);
      }
    });

    it.each([
      'javascript:alert(1)',
      ' JaVaScRiPt:alert(1)',
      'java\nscript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      '\u0001javascript:x',
    ])('should drop the button address %j', async (link) => {
      const { html, content } = await email({
        content: [{ type: 'button', content: 'Go', url: '{{{link}}}' }],
        context: { link },
      });
      expect(content).toMatchObject([{ url: '' }]);
      expect(html).not.toMatch(/script:|data:|<a /i);
      expect(html).toContain('>Go</span>');
    });

    it.each([
      'https://a.example/x',
      'mailto:a@b.example',
      'tel:+491',
      '/relative',
      '?q=a:b',
      '#top',
      'www.example.com/a:b',
    ])('should keep the button address %j', async (url) => {
      expect((await email({ content: [{ type: 'button', content: 'Go', url }] })).content).toMatchObject([{ url }]);
    });

    it('should not let an address leave its attribute', async () => {
      const link = 'https://a.example/"><script>alert(1)</script>';
      const { html } = await email({
        content: [{ type: 'button', content: 'Go', url: '{{link}}' }],
        context: { link },
      });
      expect(html).not.toContain('<script');
    });
  });

  describe('when the content is custom HTML', () => {
    it('should stand alone, as the author wrote it', async () => {
      const source = '<html><body onload="track()"><p>Hi {{name}}</p></body></html>';
      const { html, content } = await custom(source);
      expect(html).toBe('<html><body onload="track()"><p>Hi Ada</p></body></html>');
      expect(content).toBe(html);
    });

    it('should inline its style sheet and keep media queries', async () => {
      const { html } = await custom(
        '<html><head><style>p{color:red} @media (max-width:9px){p{color:blue}}</style></head><body><p>x</p></body></html>',
      );
      expect(html).toContain('<p style="color: red;">x</p>');
      expect(html).toContain('@media (max-width:9px)');
    });

    it('should leave the style sheet where it is when told so, or when it cannot be read', async () => {
      const source = '<style>p{color:red}</style><p>x</p>';
      expect((await custom(source, { inlineStyles: false })).html).toBe(source);
      const broken = '<style>}}p{color:</style><p>x</p>'.replace('}}', '} }');
      expect((await custom(broken)).html).toContain('<p>x</p>');
    });

    it.each([
      ['one rule for very many elements', 'p{color:red}', 50_000],
      ['one rule with very many declarations', `p{${'color:red;'.repeat(20_000)}}`, 40],
      ['declarations behind a brace in a text', `${'a,'.repeat(500)}p{a:"}";${'color:red;'.repeat(5_000)}}`, 40],
    ])('should leave a style sheet where it is that is too much work: %s', async (_name, css, elements) => {
      const source = `<style>${css}</style>${'<p>x</p>'.repeat(elements)}`;
      expect((await custom(source)).html).toBe(source);
    });

    it('should not spend seconds on a huge style sheet', async () => {
      const rules = Array.from({ length: 2000 }, (_, index) => `.c${index} p { color: red }`).join(' ');
      const source = `<style>${rules}</style>${'<p>x</p>'.repeat(2000)}`;
      const start = cpuMs();
      expect((await custom(source)).html).toBe(source);
      expect(cpuMs() - start).toBeLessThan(1000);
    });
  });

  describe('when there is a layout', () => {
    const content =
      '<html><body class="a > b"><h1>{{title}}</h1>{{{body}}}<small>{{subject}}|{{preheader}}</small></body></html>';

    it.each<[string, Partial<EmailInput>, string]>([
      ['blocks', { content: [text('Hi {{name}}')] }, 'Hi Ada'],
      ['editor text', { content: '<p>Hi {{name}}</p><script>x</script>' }, '<p>Hi Ada</p>'],
      ['custom HTML', { content: '<p>Hi {{name}}</p>', contentType: 'customHtml' }, '<p>Hi Ada</p>'],
    ])('should frame %s', async (_, input, expected) => {
      const { html } = await email({ ...input, layout: { content }, subject: 'S & T', preheader: 'P & Q' });
      expect(html).toMatch(/^<html><body class="a > b">/);
      expect(html).toContain(expected);
      expect(html).toContain('<small>S &amp; T|P &amp; Q</small>');
    });

    it('should not take what values hold for expressions', async () => {
      const { html } = await email({
        content: [text('{{name}}')],
        context: { name: '{{secret}}', secret: 'hidden' },
        layout: { content },
      });
      expect(html).toContain('{{secret}}');
      expect(html).not.toContain('hidden');
    });

    it('should fill in defaults of its variables', async () => {
      const variables = [
        { name: 'title', type: 'String' as const, defaultValue: 'Default' },
        { name: 'shop.city', type: 'String' as const, required: true, defaultValue: 'Kiel' },
      ];
      const layout = { content: `${content}{{shop.city}}`, variables };
      expect((await email({ layout })).html).toContain('<h1>Default</h1>');
      expect((await email({ layout })).html).toContain('Kiel');
      expect((await email({ layout, context: { title: 'Own' } })).html).toContain('<h1>Own</h1>');
    });

    it('should name required variables that are missing', async () => {
      const variables = [
        { name: 'title', type: 'String' as const, required: true },
        { name: 'items', type: 'Array' as const, required: true, defaultValue: '' },
        { name: 'subscriber.x', type: 'String' as const, required: true },
      ];
      const rendering = email({ layout: { content, variables }, context: { items: 'no list' } });
      await expect(rendering).rejects.toThrow('required variables are missing: title (Value), items (Array)');
      await expect(rendering).rejects.toBeInstanceOf(TemplateError);
    });
  });

  describe('when there is a preheader', () => {
    it.each([
      ['<body>', '<html><body>HERE<p>x</p></body></html>'],
      ['a body with attributes', '<BODY data-x="a > b" style=\'c\'>HERE<p>x</p></BODY>'],
      ['no body', 'HERE<p>x</p>'],
      ['an unfinished body', 'HERE<p>x</p><body class="'],
    ])('should be hidden at the start of %s', async (_, expected) => {
      const { html } = await custom(expected.replace('HERE', ''), { preheader: 'Look <here> $& {{name}}' });
      const hidden = /<div style="display:none[^"]*">Look &lt;here&gt; \$&amp; Ada<\/div>/;
      expect(html.replace(hidden, 'HERE')).toBe(expected);
    });
  });

  describe('when a template is faulty', () => {
    it.each<[string, Partial<EmailInput>]>([
      ['subject', { subject: '{{#if}}' }],
      ['preheader', { preheader: '{{' }],
      ['sender name', { senderName: '{{shout x}}' }],
      ['block', { content: [text('{{#if a}}')] }],
      ['address', { content: [{ type: 'button', content: 'x', url: '{{/a}}' }] }],
      ['custom HTML', { content: '{{> x}}', contentType: 'customHtml' }],
      ['layout', { layout: { content: '{{#each}}{{/each}}' } }],
    ])('should throw a TemplateError for its %s', async (_, input) => {
      await expect(email(input)).rejects.toBeInstanceOf(TemplateError);
    });
  });
});
