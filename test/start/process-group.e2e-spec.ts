import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Herald, HeraldApiError } from '@herald/client';
import { clientOf, createActiveWorkflow } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { StartedHerald, TEST_KEY } from '../support/started-herald.js';

const TRIGGERS = 60;
const ANSWER_WITHIN_MS = 5_000;

/** Herald with WEB_CONCURRENCY: several processes on one port. */
(existsSync('/proc/self') ? describe : describe.skip)('a group of processes', () => {
  let dataDir: string;
  let herald: StartedHerald;
  let isRunning = false;

  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'herald-group-'));
  });
  // One for all tests, and another one after a test that has ended it.
  beforeEach(async () => {
    if (isRunning) return;
    herald = await StartedHerald.start(dataDir, { API_KEY: TEST_KEY, WEB_CONCURRENCY: '2', DELIVERY_LEASE_MS: '1000' });
    isRunning = true;
  });
  const end = (signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string> => {
    isRunning = false;
    return herald.end(signal);
  };

  afterAll(async () => {
    await herald.end('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  const client = (): Herald =>
    clientOf(
      { baseUrl: herald.url, apiKey: TEST_KEY },
      {
        // Each call has a connection of its own, and the processes take connections in turn.
        headers: { connection: 'close' },
        // A connection that was handed to a process that is being killed gets no answer.
        timeoutMs: ANSWER_WITHIN_MS,
      },
    );
  const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);

  it('should have one welcome and two processes', async () => {
    const welcome = await herald.welcome();
    expect(welcome.match(/^ {2}Herald /gm)).toHaveLength(1);
    expect(welcome).toMatch(/^ {2}Processes 2$/m);
    expect(herald.processes()).toHaveLength(2);
  });

  it('should show in each process what the other one has written', async () => {
    for (const subscriberId of ['ada', 'bob', 'cleo']) {
      await client().subscribers.createSubscriber({ body: { subscriberId } });
      const read = () => client().subscribers.getSubscriber({ path: { subscriberId } });
      const reads = await Promise.all([1, 2, 3, 4].map(read));
      expect(reads.map((found) => found.subscriberId)).toEqual(Array(4).fill(subscriberId));
    }
  });

  it('should deliver every acknowledged trigger once although each process is killed once', async () => {
    await createActiveWorkflow(client(), 'Kept', [{ template: { type: 'in_app', content: '{{n}}' } }]);
    const before = herald.processes();
    const trigger = async (n: number): Promise<boolean> => {
      const body = { name: 'kept', to: 'ada', payload: { n }, transactionId: `kept-${n}` };
      return client()
        .events.triggerEvent({ body })
        .then(
          () => true,
          (error: unknown) => error instanceof HeraldApiError && error.status === 409,
        );
    };
    for (let n = 0; n < TRIGGERS; n++) {
      const victim = n === TRIGGERS / 3 ? before[0] : n === (2 * TRIGGERS) / 3 ? before[1] : undefined;
      const sent = trigger(n);
      if (victim !== undefined) process.kill(victim, 'SIGKILL');
      // What got no answer is sent again with its transaction id.
      if (!(await sent)) await eventually(async () => expect(await trigger(n)).toBe(true));
    }
    await eventually(async () => {
      const feed = await client().messagesOfASubscriber.getFeed({
        path: { subscriberId: 'ada' },
        query: { limit: 100 },
      });
      const contents = feed.map(({ content }) => Number(content));
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
      await client().feeds.listFeeds();
    });
  });

  it('should end with 0 and leave no process behind', async () => {
    const processes = herald.processes();
    expect(await end('SIGTERM')).toBe(0);
    expect(processes.filter(isAlive)).toEqual([]);
  });

  it('should end its processes when the first one is killed', async () => {
    const processes = herald.processes();
    await end('SIGKILL');
    await eventually(() => Promise.resolve(expect(processes.filter(isAlive)).toEqual([])));
  });
});
