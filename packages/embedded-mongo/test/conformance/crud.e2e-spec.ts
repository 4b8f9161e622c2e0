import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CRUD_TESTS } from '../support/paths.js';
import { BSON, startTestServer, type TestServer } from '../support/server.js';
import { EXPECTED_FAILURES } from './expected-failures.js';
import { notApplicable, runTest, type TestFile } from './unified.js';

const files = existsSync(CRUD_TESTS)
  ? readdirSync(CRUD_TESTS)
      .filter((name) => name.endsWith('.json'))
      .map((name) => ({
        name,
        file: BSON.EJSON.parse(readFileSync(join(CRUD_TESTS, name), 'utf8'), { relaxed: true }) as TestFile,
      }))
  : [];

const reason = (name: string, description: string): string | undefined => EXPECTED_FAILURES[name]?.[description];

describe('public CRUD tests', () => {
  if (files.length === 0) {
    it.skip(`are not at ${CRUD_TESTS}; fetch source/crud/tests/unified of mongodb/specifications to run them`, () =>
      undefined);
    return;
  }
  let running: TestServer;

  beforeAll(async () => {
    running = await startTestServer();
  });

  afterAll(async () => {
    await running.stop();
  });

  it('should list expected failures only of tests that there are', () => {
    const known = new Set(
      files.flatMap(({ name, file }) => file.tests.map(({ description }) => `${name}: ${description}`)),
    );
    const listed = Object.entries(EXPECTED_FAILURES).flatMap(([name, tests]) =>
      Object.keys(tests).map((description) => `${name}: ${description}`),
    );
    expect(listed.filter((entry) => !known.has(entry))).toEqual([]);
  });

  describe.each(files)('$name', ({ name, file }) => {
    for (const test of file.tests) {
      const skip = notApplicable(file, test);
      const failure = reason(name, test.description);
      if (skip !== undefined) it.skip(`${test.description} (${skip})`, () => undefined);
      else if (failure === undefined) it(`should pass: ${test.description}`, () => runTest(running.client, file, test));
      else {
        it(`should still not pass: ${test.description} (${failure})`, async () => {
          await expect(runTest(running.client, file, test)).rejects.toThrow();
        });
      }
    }
  });
});
