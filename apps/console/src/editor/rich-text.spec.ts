import { chipLabel, parseRich, richHtml } from './rich-text.js';

describe('parseRich', () => {
  it.each([
    'Hello {{subscriber.firstName}}',
    'A <b>bold</b> and <i>leaning</i> <a href="https://x.test/{{id}}?a=1&amp;b=2">link</a><br>next',
    '<ul><li>One</li><li>{{{two}}}</li></ul>',
    '{{#if a}}yes{{else}}no{{/if}} {% if b %}1 &lt; 2{% endif %}',
    'a { b } c &nbsp;d',
  ])('should keep %j', (html) => {
    expect(richHtml(parseRich(html) ?? [])).toBe(html);
  });

  it('should write what is no markup as text', () => {
    expect(richHtml(parseRich("Tom & Jerry's 1 < 2") ?? [])).toBe("Tom &amp; Jerry's 1 &lt; 2");
    expect(richHtml(parseRich("<a href='x'>y</a>") ?? [])).toBe('<a href="x">y</a>');
  });

  it.each([
    '<p>x</p>',
    '<b style="color:red">x</b>',
    '<a href="x" onclick="y">z</a>',
    '<b>x',
    'x</b>',
    '<b><i>x</b></i>',
    '<!-- x -->',
    '<a>x</a>',
    '<h1>x</h1>',
  ])('should leave %j to the editor of HTML', (html) => {
    expect(parseRich(html)).toBeUndefined();
  });

  it('should call a value by what is between the braces', () => {
    expect(['{{ order.id }}', '{{{x}}}', '{% if a %}'].map(chipLabel)).toEqual(['order.id', 'x', 'if a']);
  });
});
