import { examplesOf, manualPages } from '../support/manual-page.js';

const README = '../../README.md';

/** So that pages can be read in any order, and in one store. */
describe('the names of the manual', () => {
  const made = [README, ...manualPages()].flatMap((page) =>
    examplesOf(page).flatMap(({ block }) =>
      Array.from(
        block.code.matchAll(/'workflows'?,? '?\{\s*"?name"?: ?["']([^"']+)|POST workflows '\{\s*"name": ?"([^"]+)/g),
        ([, inCode, inShell]) => ({ page, name: inCode ?? inShell }),
      ),
    ),
  );

  it('should find workflows', () => {
    expect(made.length).toBeGreaterThan(10);
  });

  it('should be others on each page, so that pages can be read in any order', () => {
    const pagesOf = new Map<string | undefined, Set<string>>();
    for (const { page, name } of made) pagesOf.set(name, (pagesOf.get(name) ?? new Set()).add(page));
    const shared = [...pagesOf].filter(([, pages]) => pages.size > 1).map(([name, pages]) => [name, ...pages]);
    expect(shared).toEqual([]);
  });
});
