import type { TestApp } from '../harness/index.js';
import { examplesOf, manualPages } from '../support/manual-page.js';
import { useTestApi } from '../support/test-api.js';
import { ManualReader, missingProgram } from '../support/manual-reader.js';

const pages = manualPages().filter((page) => {
  if (examplesOf(page).length === 0) return false;
  const missing = missingProgram(page);
  if (missing !== undefined) process.stderr.write(`There is no ${missing}: ${page} is not tried.\n`);
  return missing === undefined;
});

/** Pages wait for digests and delays most of the time, and none knows of another. */
const AT_ONCE = 3;

/** Executes every example of the manual in the order of its page, and compares the results with those that it shows. */
(pages.length > 0 ? describe : describe.skip)('examples of docs/manual', () => {
  const api = useTestApi();
  const followed = new Map<string, Promise<void>>();
  beforeAll(() => {
    const lanes = Array.from({ length: AT_ONCE }, () => Promise.resolve());
    pages.forEach((page, at) => {
      // Begins when the page before it in its lane has ended, and its own test says whether it failed.
      const outcome = (lanes[at % AT_ONCE] as Promise<void>).then(() => follow(page, api));
      followed.set(page, outcome);
      lanes[at % AT_ONCE] = outcome.catch(() => undefined);
    });
  });

  it.each(pages)('should do in %s what the page says', (page) => followed.get(page));
});

async function follow(page: string, api: TestApp): Promise<void> {
  const reader = await ManualReader.start(page, api);
  try {
    for (const example of examplesOf(page)) {
      await reader.follow(example).catch((error: unknown) => {
        throw new Error(`${page}:${example.block.line} ${String(error)}`, { cause: error });
      });
    }
  } finally {
    await reader.end();
  }
}
