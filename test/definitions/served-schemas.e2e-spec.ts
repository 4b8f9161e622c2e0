import { readFileSync } from 'node:fs';
import request from 'supertest';
import type { Json } from '../support/answers.js';
import { useTestApi } from '../support/test-api.js';

/** Neither the settings of documentation nor those of other origins concern the schemas. */
const api = useTestApi({ DOCS_ENABLED: 'off', CORS_ORIGINS: 'https://app.example' });

describe('GET /schemas/{kind}.json', () => {
  it.each(['workflow', 'layout', 'feed', 'notification-group', 'workflow-override', 'budget'])(
    'should serve the schema of a %s without an API key, to editors of any origin',
    async (kind) => {
      const answer = await fetch(`${api.url}/schemas/${kind}.json`, { headers: { origin: 'https://editor.example' } });
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'application/schema+json',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'public, max-age=300',
      });
      const served = (await answer.json()) as Json;
      const file = JSON.parse(readFileSync(`schemas/${kind}.json`, 'utf8')) as Json;
      // What comments and types of fields say is part of it once Herald is built; examples/documents compares everything.
      expect([served['$schema'], served['title']]).toEqual([file['$schema'], file['title']]);
    },
  );

  it('should send it once to a client that keeps it', async () => {
    const { headers } = await request(api.url).head('/schemas/workflow.json');
    const again = await request(api.url).get('/schemas/workflow.json').set('If-None-Match', String(headers['etag']));
    expect([again.status, again.text, again.headers['access-control-allow-origin']]).toEqual([304, '', '*']);
    const other = await request(api.url).get('/schemas/layout.json').set('If-None-Match', String(headers['etag']));
    expect(other.status).toBe(200);
  });

  it.each(['/schemas', '/schemas/', '/schemas/workflow', '/schemas/tenant.json', '/schemas/../package.json'])(
    'should not find %s',
    async (path) => {
      expect(await request(api.url).get(path)).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
    },
  );
});
