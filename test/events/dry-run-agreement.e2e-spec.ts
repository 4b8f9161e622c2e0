import { type AllChannels, startAllChannels } from '../support/all-channels.js';
import { dataOf, type Json } from '../support/answers.js';
import { createWorkflow, messagesOf } from '../support/delivery.js';
import { type DeliveryApi, startDeliveryApi } from '../support/delivery-api.js';
import { pick, randomOverrides, randomPayload, randomSteps } from '../support/random-workflows.js';
import { type Random, seeded } from '../support/schedules.js';
import { repetitions, type TestSession } from '../harness/index.js';

const SEED = 20_261_122;
const WORKFLOWS = repetitions({ short: 15, long: 50 });
const EVENTS_OF_A_WORKFLOW = 3;
const DAY_MS = 86_400_000;
const ALL_ON = { email: true, sms: true, in_app: true, chat: true, push: true };

let channels: AllChannels;
let delivery: DeliveryApi;
let session: TestSession;

beforeAll(async () => {
  channels = await startAllChannels();
  delivery = await startDeliveryApi('dry_run_agreement');
  session = await delivery.api.session();
  await channels.integrate(session);
  await createWorld();
});

afterAll(async () => {
  await delivery.api.close();
  await channels.close();
});

/** Subscribers who differ in everything that decides, tenants, and an integration for one of them. */
async function createWorld(): Promise<void> {
  const everywhere = channels.recipient('ada');
  const subscribers: Json[] = [
    { ...everywhere, data: { level: 3 } },
    { ...channels.recipient('quiet') },
    { subscriberId: 'mail-only', firstName: 'Max', email: 'max@example.com' },
    { subscriberId: 'nowhere', firstName: 'Noa', data: { level: 1 } },
    { ...channels.recipient('online'), firstName: 'Olga' },
  ];
  for (const subscriber of subscribers) await session.post('/v1/subscribers', subscriber).expect(201);
  await session.patch('/v1/subscribers/online/online-status', { isOnline: true }).expect(200);
  await session
    .patch('/v1/subscribers/quiet/preferences', { preferences: [{ type: 'email', enabled: false }] })
    .expect(200);
  for (const identifier of ['acme', 'other']) {
    await session.post('/v1/tenants', { identifier, name: `Tenant ${identifier}` }).expect(201);
  }
  const sms = { baseUrl: 'http://127.0.0.1:9/', apiKeyRequestHeader: 'x-key', apiKey: 'key', idPath: 'id', from: '+2' };
  const conditions = [
    { value: 'AND', children: [{ on: 'tenant', field: 'name', operator: 'EQUAL', value: 'nobody' }] },
  ];
  await session
    .post('/v1/integrations', {
      providerId: 'generic-sms',
      channel: 'sms',
      active: true,
      check: false,
      credentials: sms,
      conditions,
    })
    .expect(201);
}

function recipientOf(random: Random, n: number): unknown {
  return pick<unknown>(random, [
    'ada',
    'quiet',
    'mail-only',
    'nowhere',
    'online',
    `unknown-${n}`,
    { ...channels.recipient(`described-${n}`), firstName: 'Ada' },
    { subscriberId: 'mail-only', firstName: 'Ada', phone: '+15551230111' },
    ['ada', 'nowhere', { subscriberId: `new-${n}`, email: 'new@example.com' }],
  ]);
}

interface DryRun {
  status: string;
  recipients: {
    subscriberId: string;
    status: string;
    steps: { status: string; type: string; reason?: string; error?: string; messages: Json[]; details: Json[] }[];
  }[];
}

interface Real {
  subscriber: { subscriberId: string };
  status: string;
  jobs: { status: string; type: string; reason?: string; error?: string; executionDetails: Json[] }[];
}

/** Entries about the plan of a run, before its steps. */
const OF_THE_PLAN = new Set(['Step created', 'Step queued']);

const shownEntries = (entries: readonly Json[]): unknown[] =>
  entries.flatMap(({ detail, status }) =>
    OF_THE_PLAN.has(String(detail)) ? [] : [`${String(status)}: ${String(detail)}`],
  );

const outcomeOf = ({ status, type, reason, error }: Json): Json => ({ status, type, reason, error });

async function realRuns(transactionId: string): Promise<Map<string, Real>> {
  const rows = await dataOf<Real[]>(session.get(`/v1/notifications?transactionId=${transactionId}`), 200);
  return new Map(rows.map((row) => [row.subscriber.subscriberId, row]));
}

/** Records of emails hold the content without layout. */
const textOf = ({ channel, subject, title, content }: Json): string =>
  JSON.stringify([channel, subject, title, channel === 'email' ? '' : content]);

async function compare(body: Json, dry: DryRun, transactionId: string): Promise<void> {
  const real = await realRuns(transactionId);
  expect(dry.recipients.map(({ subscriberId }) => subscriberId).sort()).toEqual([...real.keys()].sort());
  for (const { subscriberId, status, steps } of dry.recipients) {
    const run = real.get(subscriberId);
    expect({ body, status, steps: steps.map((step) => outcomeOf(step as unknown as Json)) }).toEqual({
      body,
      status: run?.status,
      steps: run?.jobs.map((job) => outcomeOf(job as unknown as Json)),
    });
    expect(steps.map(({ details }) => shownEntries(details))).toEqual(
      run?.jobs.map(({ executionDetails }) => shownEntries(executionDetails)),
    );
  }
  const sent = (await messagesOf(session, transactionId)).filter(({ status }) => status === 'sent');
  const foreseen = dry.recipients.flatMap(({ steps }) => steps.flatMap(({ messages }) => messages));
  expect(foreseen.map(textOf).sort()).toEqual(sent.map(textOf).sort());
}

const REAL_CASES = { steps: 0, statuses: new Set<string>(), reasons: new Set<string>() };

it('should foresee what happens, for many workflows, subscribers and events', async () => {
  const random = seeded(SEED);
  for (let n = 0; n < WORKFLOWS; n += 1) {
    const steps = randomSteps(random);
    const critical = random() < 0.1;
    const workflow = await createWorkflow(session, steps, {
      name: `Workflow ${n}`,
      critical,
      active: random() < 0.95,
      tags: ['random'],
      preferenceSettings: random() < 0.2 ? { ...ALL_ON, sms: false } : ALL_ON,
    });
    if (random() < 0.3) {
      const override = { workflowId: workflow._id, tenantId: await tenantId('acme'), active: random() < 0.8 };
      await session
        .post('/v1/workflow-overrides', { ...override, preferenceSettings: { ...ALL_ON, email: false } })
        .expect(200);
    }
    if (random() < 0.2 && !critical) {
      await session
        .patch(`/v1/subscribers/ada/preferences/${workflow._id}`, { channel: { type: 'in_app', enabled: false } })
        .expect(200);
    }
    for (let event = 0; event < EVENTS_OF_A_WORKFLOW; event += 1) {
      const body = {
        name: workflow.identifier,
        to: recipientOf(random, n * EVENTS_OF_A_WORKFLOW + event),
        payload: randomPayload(random, delivery.clock.now()),
        overrides: randomOverrides(random),
        ...(random() < 0.4 && { tenant: pick(random, ['acme', 'other', { identifier: 'acme', name: `Acme ${n}` }]) }),
        ...(random() < 0.2 && { actor: pick(random, ['ada', { subscriberId: 'actor', firstName: 'Ada' }]) }),
      };
      await agreeOn(body);
    }
  }
  expect([...REAL_CASES.statuses].sort()).toEqual(['canceled', 'completed', 'failed', 'merged', 'skipped'].sort());
  expect(REAL_CASES.reasons.size).toBeGreaterThan(repetitions({ short: 6, long: 8 }));
  expect(REAL_CASES.steps).toBeGreaterThan(6 * WORKFLOWS);
}, 300_000);

async function tenantId(identifier: string): Promise<string> {
  return (await dataOf<{ _id: string }>(session.get(`/v1/tenants/${identifier}`), 200))._id;
}

/** A second event follows at once now and then, for digests to take it in. */
async function agreeOn(body: Json): Promise<void> {
  const first = await dryRun(body);
  const transactionId = await triggerAs(body, first.status);
  await delivery.drain();
  // Which of two events reaches a digest first is not known before the delays in front of it end.
  const again = first.status === 'processed' && !first.recipients.some(waitsBeforeDigest);
  const second = again ? await dryRun(body) : first;
  const repeated = again ? await triggerAs(body, second.status) : transactionId;
  await delivery.drain(DAY_MS);
  const joins = second.recipients.some(({ status }) => status === 'merged');
  // The digest of the first event holds both by then.
  if (!joins && first.status === 'processed') await compare(body, first, transactionId);
  if (second.status === 'processed') await compare(body, second, repeated);
  for (const { steps } of second.recipients) {
    for (const { status, reason } of steps) {
      REAL_CASES.steps += 1;
      REAL_CASES.statuses.add(status);
      if (reason !== undefined) REAL_CASES.reasons.add(reason);
    }
  }
}

function waitsBeforeDigest({ steps }: DryRun['recipients'][number]): boolean {
  const types = steps.map(({ type }) => type);
  return types.includes('digest') && types.includes('delay');
}

function dryRun(body: Json): Promise<DryRun> {
  return dataOf<DryRun>(session.post('/v1/events/trigger/dry-run', body), 200);
}

async function triggerAs(body: Json, status: string): Promise<string> {
  const answer = await dataOf<{ status: string; transactionId: string }>(session.post('/v1/events/trigger', body), 201);
  expect(answer.status).toBe(status);
  return answer.transactionId;
}
