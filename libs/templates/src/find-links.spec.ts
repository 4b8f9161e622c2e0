import { findLinks } from './find-links.js';

const urlsIn = (html: string): string[] => findLinks(html).links.map(({ url }) => url);

describe('findLinks', () => {
  it.each([
    ['<a href="https://a.example/?b=1&amp;c=2">x</a>', 'https://a.example/?b=1&c=2'],
    ["<A class=x HREF='https://a.example/'>x</A>", 'https://a.example/'],
    ['<a href=https://a.example/ target=_blank>x</a>', 'https://a.example/'],
    ['<map><area href = "https://a.example/" /></map>', 'https://a.example/'],
    ['<a href="https://a.example/" href="https://b.example/">x</a>', 'https://a.example/'],
    ['<a href="&#106;avascript:alert(1)">x</a>', 'javascript:alert(1)'],
  ])('should find the link of %s and where it stands', (html, url) => {
    const [link] = findLinks(html).links;
    expect(link?.url).toBe(url);
    const rest = `${html.slice(0, link?.start)}|${html.slice(link?.end)}`;
    expect(rest.replace(/ href="https:\/\/b.example\/"/, '')).not.toMatch(/href|example|javascript/i);
    expect(rest).toMatch(/^<.*\|[^>]*>/);
  });

  it.each([
    '<!--[if mso]><a href="https://a.example/">x</a><![endif]-->',
    '<style>a[href="https://a.example/"]{}</style>',
    '<title><a href="https://a.example/">x</a></title>',
    '<link href="https://a.example/"><base href="https://a.example/">',
    '<a name="x">x</a>',
    '<p title="<a href=\'https://a.example/\'>">x</p>',
  ])('should find none in %s', (html) => expect(urlsIn(html)).toEqual([]));

  it.each([
    '<a href="https://a.example/" data-herald-track="off">x</a>',
    '<a DATA-HERALD-TRACK=false href="https://a.example/">x</a>',
    '<a clicktracking=off href="https://a.example/">x</a>',
    '<a href="https://a.example/" data-disable-tracking="true">x</a>',
    '<a href="https://a.example/" data-pm-no-track>x</a>',
    '<div data-herald-track="off"><br><p>a<p>b<a href="https://a.example/">x</a></div>',
  ])('should leave out what opts out: %s', (html) => {
    expect(urlsIn(`<a href="https://before.example/">x</a>${html}<a href="https://after.example/">x</a>`)).toEqual([
      'https://before.example/',
      'https://after.example/',
    ]);
  });

  it.each([
    ['<p data-herald-track="off"><img alt="" src="https://a.example/?b=1&amp;c=2"></p>', 'https://a.example/?b=1&c=2'],
    ["<IMG SRC='https://a.example/'/>", 'https://a.example/'],
    ['<img src=https://a.example/ alt=x>', 'https://a.example/'],
  ])('should find the picture of %s and where it stands', (html, url) => {
    const [picture, ...others] = findLinks(html).pictures;
    expect([picture?.url, others]).toEqual([url, []]);
    expect(html.slice(picture?.start, picture?.end)).toMatch(/^src=.*example/i);
    expect(`${html.slice(0, picture?.start)}|${html.slice(picture?.end)}`).toMatch(/ \|[^=]*(?:alt=x)?\/?>/);
  });

  it.each(['<script src="https://a.example/"></script>', '<!--<img src="https://a.example/">-->', 'src="x"', '<img>'])(
    'should find no picture in %s',
    (html) => expect(findLinks(html).pictures).toEqual([]),
  );

  it('should say where the content ends', () => {
    const html = '<html><body><p>x</p></body></html>';
    expect(html.slice(findLinks(html).contentEnd)).toBe('</body></html>');
    expect(findLinks('<p>x</p>').contentEnd).toBe(8);
  });

  it('should take little time for what is hostile, and find a limited number', () => {
    const began = process.cpuUsage();
    for (const html of [
      '<a '.repeat(60_000),
      '<b>'.repeat(60_000),
      `<a href="${'&amp;'.repeat(40_000)}">`,
      '<!--'.repeat(50_000),
    ]) {
      findLinks(html);
    }
    expect(findLinks('<a href="https://a.example/">x</a>'.repeat(5_000)).links).toHaveLength(1_000);
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(2_000);
  });
});
