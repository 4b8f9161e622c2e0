import { examplesOf, manualPages } from '../support/manual-page.js';
import { useTestApi } from '../support/test-api.js';
import { ManualReader, missingProgram } from '../support/manual-reader.js';

const pages = manualPages().filter((page) => {
  if (examplesOf(page).length === 0) return false;
  const missing = missingProgram(page);
  if (missing !== undefined) process.stderr.write(`There is no ${missing}: ${page} is not tried.\n`);
  return missing === undefined;
});

/** Executes every example of the manual in the order of its page, and compares the results with those that it shows. */
(pages.length > 0 ? describe : describe.skip)('examples of docs/manual', () => {
  const api = useTestApi();

  it.each(pages)('should do in %s what the page says', async (page) => {
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
  });
});
