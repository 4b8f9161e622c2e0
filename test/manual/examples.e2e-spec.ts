import { examplesOf, manualPages } from '../support/manual-page.js';
import { ManualReader } from '../support/manual-reader.js';

const pages = manualPages().filter((page) => examplesOf(page).length > 0);

/** Executes every example of the manual in the order of its page, and compares the results with those that it shows. */
describe('examples of docs/manual', () => {
  it.each(pages)('should do in %s what the page says', async (page) => {
    const reader = await ManualReader.start(page);
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
