import assert from 'node:assert/strict';

/** What belongs to programs and not on a page. */
const FOR_PROGRAMS = [
  ['a path of a body', /\b[a-z]\w*(?:\.\w+)*\.\d+\.\w+/],
  ['a call of the API', /\b(?:GET|POST|PUT|PATCH|DELETE) \/v\d/],
  ['Markdown', /\]\(|`/],
  ['a time of programs', /\b\d{4}-\d\d-\d\dT\d\d:\d\d/],
];

/** Code is shown as code, and what somebody has typed as it is. */
export async function checkWords(page, place) {
  const text = await page.evaluate(() => {
    const main = globalThis.document.querySelector('#main')?.cloneNode(true);
    for (const part of main?.querySelectorAll('pre, code, textarea, .cm-editor, iframe') ?? []) part.remove();
    // Addresses of machines are numbers with dots, too.
    return (main?.textContent ?? '').replaceAll(/\d{1,3}(?:\.\d{1,3}){3}/g, ' ');
  });
  for (const [what, pattern] of FOR_PROGRAMS) {
    const [found] = pattern.exec(text) ?? [];
    assert.equal(found, undefined, `${place} shows ${what}`);
  }
}
