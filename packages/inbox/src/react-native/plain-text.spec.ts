import { plainText } from './plain-text.js';

describe('plainText', () => {
  it.each([
    ['Order 7', 'Order 7'],
    ['Your order <b>7</b> is <a href="https://example.com/?a=1&amp;b=2">on its way</a>', 'Your order 7 is on its way'],
    ['<p>Tom &amp; Zoë</p><p>2 &lt; 3</p>', 'Tom & Zoë\n2 < 3'],
    ['One<br />two<br>three', 'One\ntwo\nthree'],
    ['<ul><li>one</li><li>two</li></ul>', 'one\ntwo'],
    ['&amp;lt;b&amp;gt; &unknown; &constructor;', '&lt;b&gt; &unknown; &constructor;'],
    ['<div><div><p>deep</p></div></div><p>next</p>', 'deep\n\nnext'],
  ])('should make text of %s', (html, text) => {
    expect(plainText(html)).toBe(text);
  });
});
