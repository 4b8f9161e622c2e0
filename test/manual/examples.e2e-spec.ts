import { basename } from 'node:path';
import type { TestApp } from '../harness/index.js';
import { storeNamed } from '../support/delivery-api.js';
import { examplesOf, manualPages } from '../support/manual-page.js';
import { type ApplicationWith, ManualReader, missingProgram } from '../support/manual-reader.js';
import { type Settings, startTestApi, useTestApi } from '../support/test-api.js';

const pages = manualPages().filter((page) => {
  if (examplesOf(page).length === 0) return false;
  const missing = missingProgram(page);
  if (missing !== undefined) process.stderr.write(`There is no ${missing}: ${page} is not tried.\n`);
  return missing === undefined;
});

/** A newcomer follows the tutorial in the folder in which the README was followed. */
const README = '../../README.md';
const paths = pages.map((page) => (page === 'tutorial.md' ? [README, page] : [page]));
const titleOf = (path: readonly string[]): string => path.map((page) => basename(page)).join(', then ');

/** Pages wait for digests and delays most of the time, and none knows of another. */
const AT_ONCE = 3;

/** Executes every example of the manual in the order of its page, and compares the results with those that it shows. */
(pages.length > 0 ? describe : describe.skip)('examples of docs/manual', () => {
  const api = useTestApi();
  const others = new Map<string, Promise<TestApp>>();
  /** With nothing allowed that the page does not allow, and for all pages with these settings. */
  const applicationWith = (settings: Settings): Promise<TestApp> => {
    if (Object.keys(settings).length === 0) return Promise.resolve(api);
    const name = JSON.stringify(settings);
    const found =
      others.get(name) ?? startTestApi({ ALLOW_PRIVATE_URLS: '0', ...settings }, storeNamed(`${others.size}`));
    others.set(name, found);
    return found;
  };
  const followed = new Map<string, Promise<void>>();
  beforeAll(() => {
    const lanes = Array.from({ length: AT_ONCE }, () => Promise.resolve());
    paths.forEach((path, at) => {
      // Begins when the path before it in its lane has ended, and its own test says whether it failed.
      const outcome = (lanes[at % AT_ONCE] as Promise<void>).then(() => follow(path, applicationWith));
      followed.set(titleOf(path), outcome);
      lanes[at % AT_ONCE] = outcome.catch(() => undefined);
    });
  });

  afterAll(async () => {
    await Promise.all([...others.values()].map(async (other) => (await other).close()));
  });

  it.each(paths.map(titleOf))('should do in %s what the page says', (title) => followed.get(title));
});

/** Pages of one path are followed one after the other, in one folder and one store. The last says how Herald is started. */
async function follow(path: readonly string[], applicationWith: ApplicationWith): Promise<void> {
  const reader = await ManualReader.start(path.at(-1) ?? '', applicationWith);
  try {
    for (const page of path) {
      for (const example of examplesOf(page)) {
        await reader.follow(example).catch((error: unknown) => {
          throw new Error(`${page}:${example.block.line} ${String(error)}`, { cause: error });
        });
      }
    }
  } finally {
    await reader.end();
  }
}
