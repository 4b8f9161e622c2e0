import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { StartedHerald, TEST_KEY } from '../support/started-herald.js';

const TRIGGERS = 60;
const ANSWER_WITHIN_MS = 5_000;

/** Herald with WEB_CONCURRENCY: several processes on one port. */
(existsSync('/proc/self') ? describe : describe.skip)('a group of processes', () => {
  let dataDir: string;
  let herald: StartedHerald;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'herald-group-'));
    herald = await StartedHerald.start(dataDir, { API_KEY: TEST_KEY, WEB_CONCURRENCY: '2', DELIVERY_LEASE_MS: '1000' });
  });

  afterAll(async () => {
    await herald.end('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  /** Each call has a connection of its own, and the processes take connections in turn. */
  const call = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> => {
    const response = await fetch(`${herald.url}${path}`, {
      method,
      headers: { authorization: `ApiKey ${TEST_KEY}`, 'content-type': 'application/json', connection: 'close' },
      // A connection that was handed to a process that is being killed gets no answer.
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`);

  it('should have one welcome and two processes', async () => {
    const welcome = await herald.welcome();
    expect(welcome.match(/^ {2}Herald /gm)).toHaveLength(1);
    expect(welcome).toMatch(/^ {2}Processes 2$/m);
    expect(herald.processes()).toHaveLength(2);
  });

  it('should show in each process what the other one has written', async () => {
    for (const subscriberId of ['ada', 'bob', 'cleo']) {
      expect((await call('POST', '/v1/subscribers', { subscriberId })).status).toBe(201);
      const reads = await Promise.all([1, 2, 3, 4].map(() => call('GET', `/v1/subscribers/${subscriberId}`)));
      expect(reads.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    }
  });

  it('should deliver every acknowledged trigger once although each process is killed once', async () => {
    const groups = (await call('GET', '/v1/notification-groups')).body as { data: { _id: string }[] };
    const workflow = await call('POST', '/v1/workflows', {
      name: 'Kept',
      notificationGroupId: groups.data[0]?._id,
      active: true,
      steps: [{ template: { type: 'in_app', content: '{{n}}' } }],
    });
    expect(workflow.status).toBe(201);
    const before = herald.processes();
    const trigger = async (n: number): Promise<boolean> => {
      const body = { name: 'kept', to: 'ada', payload: { n }, transactionId: `kept-${n}` };
      const answer = await call('POST', '/v1/events/trigger', body).catch(() => undefined);
      return answer?.status === 201 || answer?.status === 409;
    };
    for (let n = 0; n < TRIGGERS; n++) {
      const victim = n === TRIGGERS / 3 ? before[0] : n === (2 * TRIGGERS) / 3 ? before[1] : undefined;
      const sent = trigger(n);
      if (victim !== undefined) process.kill(victim, 'SIGKILL');
      // What got no answer is sent again with its transaction id.
      if (!(await sent)) await eventually(async () => expect(await trigger(n)).toBe(true));
    }
    await eventually(async () => {
      const { body } = await call('GET', '/v1/subscribers/ada/notifications/feed?limit=100');
      const contents = (body as { data: { content: string }[] }).data.map(({ content }) => Number(content));
      expect(contents.sort((a, b) => a - b)).toEqual(Array.from({ length: TRIGGERS }, (_, n) => n));
    });
    await eventually(() => {
      const after = herald.processes();
      expect(after).toHaveLength(2);
      expect(after.some((pid) => before.includes(pid))).toBe(false);
      return Promise.resolve();
    });
  });

  it('should answer on the same port after all processes died at once', async () => {
    const before = herald.processes();
    for (const pid of before) process.kill(pid, 'SIGKILL');
    await eventually(async () => {
      expect(herald.processes().filter((pid) => !before.includes(pid))).toHaveLength(2);
      expect((await call('GET', '/v1/feeds')).status).toBe(200);
    });
  });

  it('should end with 0 and leave no process behind', async () => {
    const processes = herald.processes();
    expect(await herald.end('SIGTERM')).toBe(0);
    expect(processes.filter(isRunning)).toEqual([]);
    herald = await StartedHerald.start(dataDir, { API_KEY: TEST_KEY, WEB_CONCURRENCY: '2' });
  });

  it('should end its processes when the first one is killed', async () => {
    const processes = herald.processes();
    await herald.end('SIGKILL');
    await eventually(() => Promise.resolve(expect(processes.filter(isRunning)).toEqual([])));
    herald = await StartedHerald.start(dataDir, { API_KEY: TEST_KEY, WEB_CONCURRENCY: '2' });
  });
});
