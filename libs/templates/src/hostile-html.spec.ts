import { Parser } from 'htmlparser2';
import { browserHtml } from './browser-html.js';
import { assertParsable, loadSanitizer, sanitizeContent } from './html-safety.js';
import { inlineCss } from './inline-css.js';
import { TemplateError } from './template-error.js';

function takes(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1_000;
}

describe('assertParsable', () => {
  it.each([
    ['end tags of other names', '<b></i>'.repeat(130_000)],
    ['elements in elements', '<b><i>'.repeat(65_000)],
    ['end tags that end nothing, below many elements', '<b>'.repeat(4_900) + '</i>'.repeat(200_000)],
  ])('should refuse %s, and soon', (_name, html) => {
    let error: unknown;
    const work = (): void => {
      try {
        assertParsable(html);
      } catch (caught) {
        error = caught;
      }
    };
    expect(takes(work)).toBeLessThan(1_000);
    expect(error).toEqual(new TemplateError('the HTML has too many elements that are not closed'));
  });

  it.each([
    ['much that is closed', '<p><b>x</b><br><i>y</i></p>'.repeat(20_000)],
    ['lists whose items are left open', `<ul>${'<li>x'.repeat(1_000)}</ul>`.repeat(10)],
    ['stray end tags', '<p>x</b></p>'.repeat(10_000)],
    ['upper and lower case', '<P>x</p><DIV>y</Div>'.repeat(10_000)],
  ])('should take %s', (_name, html) => {
    expect(() => assertParsable(html)).not.toThrow();
  });
});

describe('inlineCss', () => {
  const body = '<p class="a">x</p>'.repeat(2_000);

  it.each([
    ['descendants of descendants', `${'div '.repeat(300)}p{color:red}`.repeat(50)],
    ['negations', '*:not(b *):not(i *) p{color:red}'.repeat(20)],
    ['lists of long selectors', `${'a b c d e f g h i, '.repeat(200)}p{color:red}`],
  ])('should leave a style sheet of %s where it is', async (_name, css) => {
    const html = `<style>${css}</style>${body}`;
    const before = process.cpuUsage();
    await expect(inlineCss(html)).resolves.toBe(html);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
  });

  it('should still move the rules of ordinary mail', async () => {
    const html = '<style>table.content td > a:hover, p.a b { color: red }</style><p class="a"><b>x</b></p>';
    await expect(inlineCss(html)).resolves.toContain('<b style="color: red;">x</b>');
  });
});

/** What the sanitizer would have to know more of: text that browsers parse otherwise, and elements that change others later. */
const MISREAD = ['textarea', 'xmp', 'option', 'svg', 'math', 'animate', 'set', 'noscript', 'iframe'];
const IMAGE = '<img src=x onerror=alert(1)>';

describe.each([
  ['in a mail', async (html: string) => sanitizeContent(await loadSanitizer(), html)],
  ['in a browser', browserHtml],
])('content %s', (_where, clean) => {
  it.each([
    ...['textarea', 'xmp'].flatMap((name) => [
      `<${name}></${name}/>${IMAGE}</${name}>`,
      `<svg><${name}>${IMAGE}</${name}></svg>`,
      `<math><${name}>${IMAGE}</${name}></math>`,
    ]),
    '<option>&lt;img src=x onerror=alert(1)&gt;</option>',
    '<svg><a><animate attributeName="href" values="#safe;javascript:alert(1)"/><text>x</text></a></svg>',
    '<svg><a><set attributeName="xlink:href" to="javascript:alert(1)"/></a></svg>',
    `<noscript><p title="</noscript>${IMAGE}"></noscript>`,
  ])('should keep no element that runs or hides something: %s', async (html) => {
    const elements: [string, Record<string, string>][] = [];
    new Parser({ onopentag: (name, attributes) => elements.push([name, attributes]) }).end(
      await clean(`<b>x</b>${html}`),
    );
    expect(elements).toContainEqual(['b', {}]);
    expect(elements.filter(([name]) => MISREAD.includes(name))).toEqual([]);
    expect(
      elements.flatMap(([, attributes]) => Object.keys(attributes)).filter((name) => /^on|href/i.test(name)),
    ).toEqual([]);
  });
});
