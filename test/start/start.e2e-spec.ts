import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createActiveWorkflow, refusalOf } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { StartedHerald, TEST_KEY } from '../support/started-herald.js';

/** What Herald is in one process of its own; everything else about it is tested inside of the test run. */
describe('npm start', () => {
  let dataDir: string;
  let herald: StartedHerald;
  const start = (): Promise<StartedHerald> => StartedHerald.start(dataDir, { API_KEY: TEST_KEY });

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'herald-start-'));
    herald = await start();
  });

  afterAll(async () => {
    await herald.end('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  it('should serve the committed OpenAPI document', async () => {
    const response = await fetch(`${herald.url}/openapi.json`);
    expect(await response.json()).toEqual(JSON.parse(readFileSync('openapi.json', 'utf8')));
  });

  ('enableCompileCache' in nodeModule ? it : it.skip)('should keep its compiled code for later starts', () => {
    expect(readdirSync('dist/bundle')).toContain('.compile-cache');
  });

  it('should check nested bodies, so that validation and its metadata come from the same packages', async () => {
    const template = { type: 'sms', content: 'x' } as const;
    const { status, details } = await refusalOf(
      herald.client.workflows.createWorkflow({
        body: {
          name: 'Nested',
          notificationGroupId: 'no id',
          // @ts-expect-error neither the value nor the field exists
          steps: [{ template, filters: [{ value: 'XOR', children: [{ on: 'moon' }] }] }],
        },
      }),
    );
    expect(status).toBe(400);
    expect(String(details)).toMatch(
      /notificationGroupId.*steps\.0\.filters\.0.*steps\.0\.filters\.0\.children\.0\.on/s,
    );
  });

  describe('when it is killed and started again', () => {
    it('should have every record and the notification that it acknowledged', async () => {
      const workflow = await createActiveWorkflow(herald.client, 'Kept', [
        { template: { type: 'in_app', content: 'Kept for {{subscriber.firstName}}' } },
      ]);
      await herald.client.subscribers.createSubscriber({ body: { subscriberId: 'ada', firstName: 'Ada' } });
      const accepted = await herald.client.events.triggerEvent({ body: { name: 'kept', to: 'ada', payload: {} } });
      expect(accepted).toMatchObject({ acknowledged: true, status: 'processed' });

      expect(await herald.end('SIGKILL')).toBe('SIGKILL');
      herald = await start();

      const again = await herald.client.workflows.getWorkflow({ path: { workflowId: workflow._id } });
      expect(again).toEqual(workflow);
      await eventually(async () => {
        const path = '/v1/subscribers/{subscriberId}/notifications/feed';
        const feed = await herald.client.request('GET', path, { path: { subscriberId: 'ada' } });
        expect(feed).toMatchObject({ totalCount: 1, data: [{ content: 'Kept for Ada' }] });
      });
    });
  });

  describe('when it is asked to stop', () => {
    it('should end with 0', async () => {
      expect(await herald.end('SIGTERM')).toBe(0);
      herald = await start();
    });
  });
});
