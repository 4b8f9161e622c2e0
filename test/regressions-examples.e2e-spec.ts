import { readFileSync } from 'node:fs';
import type { TestApp, TestSession } from '#libs/testing';
import { type Document, operationsOf } from './support/routes.js';
import { swaggerExample } from './support/swagger-example.js';
import { startTestApi } from './support/test-api.js';

/** What the examples of others name comes before them: the override's workflow and tenant, for instance. */
const CREATED = [
  '/v1/environments/api-keys',
  '/v1/notification-groups',
  '/v1/feeds',
  '/v1/layouts',
  '/v1/tenants',
  '/v1/topics',
  '/v1/subscribers',
  '/v1/subscribers/bulk',
  '/v1/integrations',
  '/v1/workflows',
  '/v1/notification-templates',
  '/v1/workflow-overrides',
  '/v1/webhooks',
];

// the committed one: comments become part of it in the build only
const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as Document;
let api: TestApp;
let session: TestSession;
beforeAll(async () => {
  api = await startTestApi();
  session = await api.session();
});
afterAll(() => api.close());

const bodyOf = (path: string): object => {
  const content = document.paths[path]?.['post']?.requestBody?.content['application/json'];
  return swaggerExample(document, content?.schema) as object;
};

describe('Try it out', () => {
  it('should be looked at for every operation that creates from a body alone', () => {
    const creating = operationsOf(document)
      .filter(({ method, path, operation }) => method === 'POST' && !path.includes('{') && operation.requestBody)
      .map(({ path }) => path)
      .filter((path) => !path.startsWith('/v1/events/'));
    expect(creating.sort()).toEqual([...CREATED].sort());
  });

  it('should succeed with the examples as they stand', async () => {
    const answers: string[] = [];
    for (const path of CREATED) {
      const { status, text } = await session.post(path, bodyOf(path));
      answers.push(status < 300 ? path : `${path}: ${status} ${text}`);
    }
    expect(answers).toEqual(CREATED);
  });
});
