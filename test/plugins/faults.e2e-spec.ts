import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';

interface Job {
  readonly status: string;
  readonly error?: string;
  readonly executionDetails: readonly { readonly detail: string; readonly status: string; readonly raw?: string }[];
}

interface TestHerald {
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: { data: { _id: string } } }>;
  createWorkflow(name: string, steps: readonly object[]): Promise<{ status: number }>;
  deliver(name: string, to: object, payload?: object): Promise<{ jobs: readonly Job[] }>;
  stop(): Promise<void>;
}

const PLUGIN = `
import { definePlugin, defineProvider, defineStep, z } from 'herald/plugin';
const step = (type, run) => defineStep({ type, input: z.object({}), run });
export default definePlugin({
  name: 'faulty',
  apiVersion: 1,
  helpers: {
    later: async () => { throw new Error('too late'); },
    text: () => { throw 'a text'; },
  },
  operators: { LATER: async () => { throw new Error('too late'); } },
  steps: [
    step('throws', () => { throw new Error('at once'); }),
    step('wrong', async () => ({ status: 'failed' })),
    step('someday', async () => ({ status: 'waiting', until: 'tomorrow' })),
    step('circle', async () => { const output = {}; output.self = output; return { status: 'completed', output }; }),
    step('large', async () => ({ status: 'completed', output: { text: 'x'.repeat(10_000) } })),
    step('twice', async ({ isResumed }) => {
      return { status: 'waiting', until: new Date(Date.now() + (isResumed ? 86_400_000 : 50)) };
    }),
    step('entry', async ({ note }) => { note('Done', { status: 'Great' }); return null; }),
  ],
  providers: [defineProvider({ id: 'silent', channel: 'sms', displayName: 'Silent', async send() {} })],
});`;
const TIMEOUT_MS = 500;

/** What plugins without types do wrong at run time: the trail says it, and Herald keeps running. */
describe('a plugin with faults', () => {
  let folder: string;
  let herald: TestHerald;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'herald-faulty-'));
    writeFileSync(join(folder, 'faulty.mjs'), PLUGIN);
    const support = new URL('../../examples/test-herald.mjs', import.meta.url).href;
    const program = (await import(support)) as {
      TestHerald: { start(settings: Record<string, string>): Promise<TestHerald> };
    };
    herald = await program.TestHerald.start({
      HERALD_PLUGINS: join(folder, 'faulty.mjs'),
      DELIVERY_TIMEOUT_MS: String(TIMEOUT_MS),
      DELIVERY_MAX_ATTEMPTS: '1',
    });
  });
  afterAll(async () => {
    await herald.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function deliver(name: string, step: object): Promise<Job | undefined> {
    expect(await herald.createWorkflow(name, [step])).toMatchObject({ status: 201 });
    const { jobs } = await herald.deliver(name, { subscriberId: 'ada', phone: '+431' });
    return jobs[0];
  }

  it('should outlive a step that throws before it returns a promise', async () => {
    const job = await deliver('throws', { template: { type: 'throws', input: {} } });
    expect(job).toMatchObject({ status: 'failed', error: 'at once' });
    const at = Date.now() + 2 * TIMEOUT_MS;
    while (Date.now() < at) expect((await herald.call('GET', '/v1/health-check')).status).toBe(200);
  });

  it('should fail a step that returns something else than a result', async () => {
    expect(await deliver('wrong', { template: { type: 'wrong', input: {} } })).toMatchObject({
      status: 'failed',
      error: "The step returned the status 'failed'. The status must be one of completed, skipped, waiting.",
    });
    expect(await deliver('someday', { template: { type: 'someday', input: {} } })).toMatchObject({
      status: 'failed',
      error: 'The step returned `waiting` with an `until` that is not a valid Date.',
    });
    expect(await deliver('circle', { template: { type: 'circle', input: {} } })).toMatchObject({
      status: 'failed',
      error: 'The output of the step must be an object of plain data.',
    });
    expect(await deliver('large', { template: { type: 'large', input: {} } })).toMatchObject({
      status: 'failed',
      error: 'The output of the step is longer than 10000 characters as JSON.',
    });
  });

  it('should cancel a step that waits for the second time, as nothing of it is under way', async () => {
    expect(await herald.createWorkflow('twice', [{ template: { type: 'twice', input: {} } }])).toMatchObject({
      status: 201,
    });
    const transactionId = 'twice-1';
    await herald.call('POST', '/v1/events/trigger', { name: 'twice', to: 'ada', transactionId });
    const job = async (): Promise<Job & { readonly dueAt?: string }> => {
      const { body } = await herald.call('GET', `/v1/notifications?transactionId=${transactionId}`);
      return (body as unknown as { data: { jobs: Job[] }[] }).data[0]?.jobs[0] as Job;
    };
    await eventually(async () => {
      expect(Date.parse((await job()).dueAt ?? '')).toBeGreaterThan(Date.now() + 3_600_000);
    });
    expect((await herald.call('DELETE', `/v1/events/trigger/${transactionId}`)).body).toEqual({ data: true });
    expect((await job()).status).toBe('canceled');
  });

  it('should show an entry of the trail with an unknown status as pending', async () => {
    const job = await deliver('entry', { template: { type: 'entry', input: {} } });
    expect(job?.status).toBe('completed');
    expect(job?.executionDetails).toContainEqual(expect.objectContaining({ detail: 'Done', status: 'Pending' }));
  });

  it('should fail a message with a helper that is asynchronous or throws no error', async () => {
    const content = (text: string): object => ({ template: { type: 'in_app', content: text } });
    expect(await deliver('helper', content('{{later word}}'))).toMatchObject({
      error: 'the helper "later" failed: it returned a promise, but must be synchronous',
    });
    expect(await deliver('text', content('{{text word}}'))).toMatchObject({
      error: 'the helper "text" failed: a text',
    });
  });

  it('should fail a condition with an operator that is asynchronous', async () => {
    const filters = [{ children: [{ field: 'word', operator: 'LATER', value: 1 }] }];
    expect(await deliver('operator', { template: { type: 'in_app', content: 'x' }, filters })).toMatchObject({
      status: 'failed',
      error: 'The operator LATER cannot be applied: it returned a promise, but must be synchronous.',
    });
  });

  it('should take a message as sent whose provider returned nothing', async () => {
    await herald.call('POST', '/v1/integrations', { providerId: 'silent', channel: 'sms', active: true });
    expect(await deliver('silent', { template: { type: 'sms', content: 'x' } })).toMatchObject({ status: 'completed' });
  });
});
