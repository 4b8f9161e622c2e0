import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
    const { body } = await herald.call('GET', '/openapi.json');
    expect(body).toEqual(JSON.parse(readFileSync('openapi.json', 'utf8')));
  });

  it('should keep its compiled code for later starts', () => {
    expect(readdirSync('dist/bundle').filter((name) => name.endsWith('.code-cache'))).toHaveLength(1);
  });

  it('should check nested bodies, so that validation and its metadata come from the same packages', async () => {
    const { status, body } = await herald.call('POST', '/v1/workflows', {
      name: 'Nested',
      notificationGroupId: 'no id',
      steps: [{ template: { type: 'sms', content: 'x' }, filters: [{ value: 'XOR', children: [{ on: 'moon' }] }] }],
    });
    expect(status).toBe(400);
    expect(String((body as { message: string[] }).message)).toMatch(
      /notificationGroupId.*steps\.0\.filters\.0.*steps\.0\.filters\.0\.children\.0\.on/s,
    );
  });

  describe('when it is killed and started again', () => {
    it('should have every record and the notification that it acknowledged', async () => {
      const groups = (await herald.call('GET', '/v1/notification-groups')).body as { data: { _id: string }[] };
      const workflow = await herald.call('POST', '/v1/workflows', {
        name: 'Kept',
        notificationGroupId: groups.data[0]?._id,
        active: true,
        steps: [{ template: { type: 'in_app', content: 'Kept for {{subscriber.firstName}}' } }],
      });
      expect(workflow.status).toBe(201);
      expect((await herald.call('POST', '/v1/subscribers', { subscriberId: 'ada', firstName: 'Ada' })).status).toBe(
        201,
      );
      const trigger = { name: 'kept', to: 'ada', payload: {} };
      expect((await herald.call('POST', '/v1/events/trigger', trigger)).status).toBe(201);

      expect(await herald.end('SIGKILL')).toBe('SIGKILL');
      herald = await start();

      const again = await herald.call('GET', `/v1/workflows/${(workflow.body as { data: { _id: string } }).data._id}`);
      expect(again).toEqual({ status: 200, body: workflow.body });
      await eventually(async () => {
        const { body } = await herald.call('GET', '/v1/subscribers/ada/notifications/feed');
        expect(body).toMatchObject({ totalCount: 1, data: [{ content: 'Kept for Ada' }] });
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
