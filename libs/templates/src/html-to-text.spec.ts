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

function text(content: string): EmailBlock {
  return { type: 'text', content };
}

function expectTemplateError(error: unknown): void {
  expect(error).toBeInstanceOf(TemplateError);
}

/** Processor time, which a busy machine does not stretch as it does the clock. */
function cpuMs(): number {
  return process.cpuUsage().user / 1000;
}

describe('renderEmail', () => {
  describe('when a text alternative is made', () => {
    it.each([
      ['<p>One</p><p>Two<br>lines</p>', 'One\n\nTwo\nlines'],
      ['<h1>Title</h1>\n  <div>a</div><div>b   c</div>', 'Title\n\na\nb c'],
      ['<ul><li>one</li><li>two <b>bold</b></li></ul>after', '- one\n- two bold\n\nafter'],
      [
        'See <a href="https://x.example/?a=1&amp;b=2">the <b>page</b></a>.',
        'See the page (https://x.example/?a=1&b=2).',
      ],
      ['<a href="https://x.example">https://x.example</a>', 'https://x.example'],
      ['<a href="mailto:a@b.example">a@b.example</a>', 'a@b.example'],
      ['<a href="https://x.example"><img src="i.png" alt="Logo"></a>', 'Logo (https://x.example)'],
      ['<a href="https://x.example"><img src="i.png"></a>', 'https://x.example'],
      ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
      ['a<hr>b', 'a\n\n----------\nb'],
      [
        '<style>p{}</style><script>x</script><title>t</title>Tom &amp; &lt;Jerry&gt; &quot;x&quot;',
        'Tom & <Jerry> "x"',
      ],
      ['1 &amp;lt; 2', '1 &lt; 2'],
      ['<div style="display: none">hidden</div>shown', 'shown'],
    ])('should turn %j into %j', async (source, expected) => {
      expect((await custom(source)).text).toBe(expected);
    });

    it('should hold links of buttons, and no preheader', async () => {
      const { text: alternative } = await email({
        content: [text('Hi {{name}}'), { type: 'button', content: 'Open', url: 'https://x.example' }],
        preheader: 'Preview',
        subject: 'Subject',
      });
      expect(alternative).toBe('Hi Ada\nOpen (https://x.example)');
    });
  });

  describe('when markup is made to take long', () => {
    it.each([
      ['style elements left open', '<style '.repeat(60_000)],
      ['many links', '<a href="https://x.example">y</a> '.repeat(5_000)],
      ['many line ends', '<br>'.repeat(50_000)],
      ['bodies left open', '<body "'.repeat(50_000)],
    ])('should not spend long on %s', async (_, source) => {
      const start = cpuMs();
      await custom(source, { preheader: 'x' }).catch(expectTemplateError);
      await email({ content: [text(source)] }).catch(expectTemplateError);
      expect(cpuMs() - start).toBeLessThan(5000);
    });

    it.each([
      ['deeply nested elements', '<div>'.repeat(90_000)],
      ['elements closed in the wrong order', `${'<p><b>'.repeat(50_000)}</p>`],
    ])('should refuse %s at once', async (_, source) => {
      const start = cpuMs();
      await expect(custom(source)).rejects.toThrow('too many elements that are not closed');
      await expect(email({ content: [text(source)] })).rejects.toBeInstanceOf(TemplateError);
      expect(cpuMs() - start).toBeLessThan(1000);
    });
  });
});
