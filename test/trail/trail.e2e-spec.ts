import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, Types } from 'mongoose';
import { ExecutionDetailsService, type TrailRecord } from '../../src/engine/execution-details/index.js';
import { tenantFactory } from '../factories/tenant.factory.js';
import { dataOf, type Json } from '../support/answers.js';
import {
  createWorkflow,
  delay,
  email,
  feedOf,
  inApp,
  notificationOf,
  type SentEvent,
  type SentStep,
  type ShownNotification,
  trigger,
} from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { useSession } from '../support/test-api.js';

const delivery = useDeliveryApi('trail');
const session = useSession(delivery.api);

const anyId = expect.stringMatching(/^[0-9a-f]{24}$/) as string;

type Detail = ShownNotification['jobs'][number]['executionDetails'][number] & { isRetry: boolean };

const run = async (body: Partial<SentEvent> & Pick<SentEvent, 'name'>): Promise<ShownNotification> => {
  const id = await trigger(session, { to: 'ann', ...body });
  await delivery.drain();
  return notificationOf(session, id);
};
const detailsOf = ({ jobs }: ShownNotification, place = 0): Detail[] => jobs[place]?.executionDetails ?? [];
const textsOf = (shown: ShownNotification, place = 0): string[] => detailsOf(shown, place).map(({ detail }) => detail);
const rawOf = (shown: ShownNotification, detail: string, place = 0): unknown =>
  JSON.parse(detailsOf(shown, place).find((one) => one.detail === detail)?.raw ?? 'null');

/** Changes the stored template of a workflow's step to what could be saved before it was refused. */
async function storeTemplate(workflow: { _id: string }, place: number, template: Json): Promise<void> {
  const { db } = delivery.api.app.get<Connection>(getConnectionToken());
  await db
    ?.collection('workflows')
    .updateOne({ _id: new Types.ObjectId(workflow._id) }, { $set: { [`steps.${place}.template`]: template } });
  await session.put(`/v1/workflows/${workflow._id}/status`, { active: true }).expect(200);
}

describe('stored steps that would be refused now', () => {
  it.each(['custom', 'trigger'])('should fail a step of the type %s in the trail, and go on', async (type) => {
    const workflow = await createWorkflow(session, [inApp('gone'), inApp('after')]);
    await storeTemplate(workflow, 0, { type });
    const shown = await run({ name: workflow.identifier });
    expect(shown.status).toBe('failed');
    expect(shown.jobs.map(({ type: kind, status }) => [kind, status])).toEqual([
      [type, 'failed'],
      ['in_app', 'completed'],
    ]);
    expect(shown.jobs[0]).toMatchObject({
      reason: 'step_type_not_run',
      error: expect.stringContaining(type) as string,
    });
    expect(detailsOf(shown).at(-1)).toMatchObject({ detail: 'Step type is not supported', status: 'Failed' });
    expect((await feedOf(session, 'ann')).map(({ content }) => content)).toEqual(['after']);
  });

  it.each(['email', 'in_app', 'push', 'sms', 'chat'])(
    'should fail a step of the type %s without content',
    async (type) => {
      const workflow = await createWorkflow(session, [inApp('gone')]);
      await storeTemplate(workflow, 0, { type });
      const shown = await run({ name: workflow.identifier });
      expect(shown.jobs[0]).toMatchObject({ status: 'failed', reason: 'content' });
      expect(textsOf(shown)).toContain('Message content could not be generated');
    },
  );
});

describe('steps after one that has failed', () => {
  it('should say that they were canceled, and why', async () => {
    const steps = [email('s', 'x', {}, { shouldStopOnFail: true }), inApp('a'), inApp('b')];
    const { identifier } = await createWorkflow(session, steps);
    const shown = await run({ name: identifier });
    for (const place of [1, 2]) {
      expect(shown.jobs[place]).toMatchObject({ status: 'canceled', reason: 'earlier_step_failed' });
      expect(detailsOf(shown, place).at(-1)).toMatchObject({ detail: 'Step was canceled', status: 'Success' });
      expect(rawOf(shown, 'Step was canceled', place)).toEqual({ reason: 'earlier_step_failed' });
    }
  });
});

describe('what switched a channel off', () => {
  const setUp = async (
    steps: SentStep[],
    override: Json,
    more: Json = {},
  ): Promise<{ name: string; tenant: string; override: Json }> => {
    const { _id, identifier } = await createWorkflow(session, steps, more);
    const tenant = dataOf(await session.post('/v1/tenants', tenantFactory()).expect(201));
    const made = await session.post('/v1/workflow-overrides', {
      workflowId: _id,
      tenantId: tenant['_id'],
      ...override,
    });
    return { name: identifier, tenant: String(tenant['identifier']), override: dataOf(made) };
  };

  it('should be the override of the tenant, with its id and the tenant', async () => {
    const { name, tenant, override } = await setUp([inApp('no'), email('s', 'x')], {
      preferenceSettings: { in_app: false },
    });
    const shown = await run({ name, tenant });
    const label = 'Step filtered by the workflow override of the tenant';
    expect(shown.jobs[0]).toMatchObject({ status: 'skipped', reason: 'preferences' });
    expect(detailsOf(shown).find(({ detail }) => detail === label)).toMatchObject({ status: 'Success' });
    expect(rawOf(shown, label)).toMatchObject({
      source: 'workflowOverride',
      override: {
        _id: override['_id'],
        tenant: { _id: override['_tenantId'], identifier: tenant },
        preferenceSettings: { in_app: false },
      },
    });
    expect(textsOf(shown)).not.toContain('Step filtered by subscriber workflow preferences');
  });

  it('should be the workflow where its own settings say so', async () => {
    const { identifier } = await createWorkflow(session, [inApp('no')], { preferenceSettings: { in_app: false } });
    const shown = await run({ name: identifier });
    expect(rawOf(shown, 'Step filtered by workflow preferences')).toMatchObject({
      source: 'template',
      preferenceSettings: { in_app: false },
    });
  });

  it('should be the subscriber where the subscriber had the last word', async () => {
    const { name, tenant } = await setUp([inApp('no')], { preferenceSettings: { in_app: false } });
    await run({ name, to: 'bob' });
    const workflows = dataOf<{ _id: string }[]>(await session.get('/v1/workflows').expect(200));
    await session
      .patch(`/v1/subscribers/bob/preferences/${workflows[0]?._id}`, { channel: { type: 'in_app', enabled: false } })
      .expect(200);
    const shown = await run({ name, tenant, to: 'bob' });
    expect(rawOf(shown, 'Step filtered by subscriber workflow preferences')).toMatchObject({ source: 'subscriber' });
  });
});

describe('the variable step', () => {
  it.each([
    ['no digest precedes', []],
    [
      'the digest was filtered out',
      [
        {
          template: { type: 'digest' },
          metadata: { type: 'regular', amount: 5, unit: 'minutes' },
          filters: [
            { type: 'GROUP', value: 'AND', children: [{ on: 'payload', field: 'a', operator: 'EQUAL', value: 'b' }] },
          ],
        },
      ],
    ],
  ])('should say that nothing was collected where %s', async (_case, before) => {
    const content = '{{step.total_count}} {{step.events.length}} {{step.digest}}';
    const { identifier } = await createWorkflow(session, [...before, inApp(content)]);
    await run({ name: identifier });
    expect((await feedOf(session, 'ann')).map((message) => message.content)).toEqual(['0 0 false']);
  });
});

describe('push', () => {
  it('should name the provider in each detail for a subscriber that has no push credentials', async () => {
    await session
      .post('/v1/integrations', {
        providerId: 'one-signal',
        channel: 'push',
        active: true,
        check: false,
        credentials: { applicationId: 'app', apiKey: 'key' },
      })
      .expect(201);
    const { identifier } = await createWorkflow(session, [{ template: { type: 'push', title: 't', content: 'c' } }]);
    const shown = await run({ name: identifier });
    expect(detailsOf(shown).length).toBeGreaterThan(3);
    expect(new Set(detailsOf(shown).map(({ providerId }) => providerId))).toEqual(new Set(['one-signal']));
  });
});

describe('details that earlier versions stored apart', () => {
  /** Stores the trail of a run as those versions did. */
  const storeApart = async (transactionId: string): Promise<string[]> => {
    const [run] = await delivery.rows('notifications', { transactionId });
    const record = run as unknown as TrailRecord;
    const shown = await notificationOf(session, transactionId);
    const entries = shown.jobs.flatMap(({ _id, executionDetails }) =>
      (executionDetails as (Detail & { createdAt: string })[]).map(({ detail, raw, createdAt }) => ({
        jobId: new Types.ObjectId(_id),
        detail,
        at: new Date(createdAt),
        ...(raw !== undefined && { raw: JSON.parse(raw) as unknown }),
      })),
    );
    await delivery.api.app.get(ExecutionDetailsService).append([
      {
        organizationId: record._organizationId,
        environmentId: record._environmentId,
        notificationId: record._id,
        workflowId: record._templateId,
        subscriberId: record._subscriberId,
        transactionId,
        entries,
      },
    ]);
    const { db } = delivery.api.app.get<Connection>(getConnectionToken());
    await db?.collection('notifications').updateOne({ _id: record._id }, { $unset: { trail: 1 } });
    return entries.map(({ detail }) => detail);
  };
  const listOf = async ({ _id }: ShownNotification): Promise<string[]> => {
    const path = `/v1/execution-details?notificationId=${_id}&subscriberId=ann`;
    return dataOf<Detail[]>(await session.get(path).expect(200)).map(({ detail }) => detail);
  };

  it('should be shown as before, and before those of a replay', async () => {
    const { identifier } = await createWorkflow(session, [email('s', 'x')]);
    const id = await trigger(session, { name: identifier, to: { subscriberId: 'ann', email: 'ann@example.com' } });
    await delivery.drain();
    const stored = await storeApart(id);
    const before = await notificationOf(session, id);
    expect(textsOf(before)).toEqual(stored);
    expect(await listOf(before)).toEqual(stored);
    delivery.clock.advance(1_000);
    await session.post(`/v1/notifications/${before._id}/replay`).expect(202);
    await delivery.drain();
    const after = await notificationOf(session, id);
    expect(textsOf(after).slice(0, stored.length + 1)).toEqual([...stored, 'Step replayed']);
    expect(await listOf(after)).toEqual(textsOf(after));
  });

  it('should be followed by those of a run that waited', async () => {
    const { identifier } = await createWorkflow(session, [delay(), inApp('late')]);
    const id = await trigger(session, { name: identifier, to: 'ann' });
    await delivery.drain();
    const stored = await storeApart(id);
    await delivery.drain(3_600_000);
    const shown = await notificationOf(session, id);
    expect(shown.status).toBe('completed');
    expect((await listOf(shown)).slice(0, stored.length)).toEqual(stored);
    expect(textsOf(shown, 1)).toEqual([
      'Step created',
      'Step queued',
      'Start sending message',
      'Message created',
      'Message sent',
    ]);
  });
});

describe('replays', () => {
  it('should be told with who had it replayed, and mark what they did', async () => {
    const { identifier } = await createWorkflow(session, [inApp('done'), email('s', 'x')]);
    const id = await trigger(session, { name: identifier, to: { subscriberId: 'ann', email: 'ann@example.com' } });
    await delivery.drain();
    const before = await notificationOf(session, id);
    expect(detailsOf(before, 1).some(({ isRetry }) => isRetry)).toBe(false);
    await session.post(`/v1/notifications/${before._id}/replay`).expect(202);
    await delivery.drain();
    const after = await notificationOf(session, id);
    expect(detailsOf(after)).toEqual(detailsOf(before));
    expect(after.jobs[0]).not.toHaveProperty('replays');
    expect(after.jobs[1]).toMatchObject({ status: 'failed', replays: 1 });
    const added = detailsOf(after, 1).slice(detailsOf(before, 1).length);
    expect(added[0]).toMatchObject({ detail: 'Step replayed', isRetry: true, status: 'Pending' });
    expect(rawOf(after, 'Step replayed', 1)).toMatchObject({
      by: { keyId: anyId, userId: anyId },
      at: delivery.clock.now().toISOString(),
      replays: 1,
    });
    expect(added.length).toBeGreaterThan(2);
    expect(added.every(({ isRetry }) => isRetry)).toBe(true);
  });
});
