/* global expect -- of the test that calls this */

const PAGES = [
  '',
  '/',
  '/manual',
  '/manual/limits',
  '/providers',
  '/providers/sendgrid',
  '/settings',
  '/adr/0001-layout',
];
const TEXTS = [
  ['/llms.txt', /^text\/plain/, '# Herald'],
  ['/manual/limits.md', /^text\/markdown/, '# Limits'],
];
const UNSEEN = ['/nothing', '/%2e%2e/build.mjs', '/.built', '/.policy.json'];

/** The built site, as a Herald at this address serves it without an API key. */
export async function examineDocumentation(url) {
  const get = async (path) => {
    const answer = await fetch(`${url}${path}`);
    return { status: answer.status, type: answer.headers.get('content-type'), answer, text: await answer.text() };
  };
  for (const path of PAGES) {
    const { status, type, answer, text } = await get(`/docs${path}`);
    expect([path, status, type]).toEqual([path, 200, expect.stringMatching(/^text\/html/)]);
    expect(text).toContain('<div class="VPContent');
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toMatch(/script-src 'self'( 'sha256-[\w+/]{43}='){1,3};style-src 'self'$/);
    expect(policy).not.toContain('unsafe');
  }
  const { text } = await get('/docs/manual/limits');
  const files = [...text.matchAll(/<(?:link|script)[^>]* (?:href|src)="(\/docs\/[^"]+\.\w+)"/g)];
  expect(files.length).toBeGreaterThan(3);
  for (const [, path] of files) expect([path, (await get(path)).status]).toEqual([path, 200]);
  for (const [path, type, start] of TEXTS) {
    const { status, type: sent, text: content } = await get(`/docs${path}`);
    expect([path, status, sent]).toEqual([path, 200, expect.stringMatching(type)]);
    expect(content.startsWith(start)).toBe(true);
  }
  for (const path of UNSEEN) expect((await get(`/docs${path}`)).status).toBeGreaterThanOrEqual(400);
}
