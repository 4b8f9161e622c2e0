import { readFileSync } from 'node:fs';
import type { TestApp } from '#libs/testing';
import { warningIn } from '../support/answers.js';
import type { Document } from '../support/routes.js';
import { startTestApi } from '../support/test-api.js';
import { triedRequests } from '../support/try-it-out.js';

const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as Document;

describe('examples of the OpenAPI document', () => {
  let api: TestApp;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.close());

  it('should name nothing that their request does not take', async () => {
    const session = await api.session();
    const warned: string[] = [];
    const requests = triedRequests(document);
    for (const { name, method, url, body } of requests) {
      const warning = warningIn(await session[method](url, body as object | undefined));
      if (warning !== undefined) warned.push(`${name}: ${warning}`);
    }
    expect(requests.length).toBeGreaterThan(110);
    expect(warned).toEqual([]);
  });
});
