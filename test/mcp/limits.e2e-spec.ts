import type { Client } from '@modelcontextprotocol/client';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import request from 'supertest';
import { type TenantModel, toObjectId } from '#libs/persistence';
import { AGENT_DEFAULTS, ApiKeysService } from '../../src/platform/auth/index.js';
import type { AgentUse } from '../../src/operations/mcp/agent-use.schema.js';
import { AgentUses } from '../../src/operations/mcp/agent-uses.js';
import { AgentRequests } from '../../src/engine/questions/agent-requests.js';
import { AgentRequestApproved } from '../../src/engine/questions/question.events.js';
import type { Question } from '../../src/engine/questions/question.schema.js';
import { QuestionStore } from '../../src/engine/questions/question-store.js';
import { WaitingWork } from '../../src/operations/testing/waiting-work.js';
import { type AgentKey, agentKey, agentOf, ask, connected, refusal, type Said, say } from '../support/agents.js';
import { codeOf, dataOf, type Json } from '../support/answers.js';
import { createWorkflow, email, feedOf, inApp, messagesOf, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { joined } from '../support/signed-in-browser.js';
import { useSession } from '../support/test-api.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

const delivery = useDeliveryApi('mcp_limits', { DELIVERY_WORKER: 'off' });
const session = useSession(delivery.api);

const subscribers = async (...ids: string[]): Promise<void> => {
  for (const subscriberId of ids) await session.post('/v1/subscribers', { subscriberId }).expect(201);
};
const send = (agent: Client, workflow: string, ...to: string[]): Promise<Said> =>
  say(agent, 'trigger', { workflow, to, dryRun: false });
const codes = (said: readonly Said[]): string[] =>
  said.map(({ isError, text }) => (isError ? (text.split(':')[0] ?? '') : 'sent')).sort();
/** Also what waits for the end of something else. */
const settle = async (): Promise<void> => {
  for (let times = 0; times < 2; times += 1) {
    delivery.clock.advance(SECOND_MS);
    await delivery.api.app.get(WaitingWork, { strict: false }).runDue();
  }
};

describe('the key of an agent', () => {
  it('should have limits, those that it is given or the usual ones, and keep them when it is replaced', async () => {
    const issue = (body: Json) => session.post('/v1/environments/api-keys', body);
    const usual = await dataOf(issue({ name: 'Claude', kind: 'agent' }), 201);
    expect(usual).toMatchObject({
      kind: 'agent',
      scopes: ['read', 'trigger', 'write'],
      limits: {
        callsPerMinute: 60,
        notifications: 60,
        people: 60,
        periodMinutes: 60,
        approvalAbove: 10,
        approvers: [],
      },
    });
    const sendWindow = { timezone: 'Europe/Berlin', weeklySchedule: { monday: { isEnabled: true } } };
    const limits = { notifications: 5, approvers: ['ada'], sendWindow };
    const own = await dataOf(issue({ name: 'Claude', kind: 'agent', scopes: ['read'], limits }), 201);
    expect(own).toMatchObject({ scopes: ['read'], limits: { ...limits, people: 60 } });
    const rotated = await dataOf(session.post(`/v1/environments/api-keys/${String(own['_id'])}/rotate`), 201);
    expect(rotated).toMatchObject({ kind: 'agent', limits: own['limits'] });
    expect(await dataOf(issue({ name: 'ci' }), 201)).toMatchObject({ kind: 'server' });
  });

  it.each<[string, Json, RegExp]>([
    ['limits of a server', { limits: { people: 1 } }, /limits are for keys of the kind agent/],
    ['an agent that issues keys', { kind: 'agent', scopes: ['read', 'admin'] }, /scopes must not have admin/],
    ['another kind', { kind: 'robot' }, /kind must be one of/],
    ['a number that is none', { kind: 'agent', limits: { notifications: -1 } }, /limits\.notifications/],
    ['people who are none', { kind: 'agent', limits: { approvers: [7] } }, /limits\.approvers/],
    ['a week without days', { kind: 'agent', limits: { sendWindow: { weeklySchedule: {} } } }, /limits\.sendWindow/],
    [
      'the zone of nobody',
      {
        kind: 'agent',
        limits: { sendWindow: { timezone: 'subscriber', weeklySchedule: { monday: { isEnabled: true } } } },
      },
      /sendWindow\.timezone must be a time zone/,
    ],
  ])('should not be issued with %s', async (_case, asked, fault) => {
    const { status, text } = await session.post('/v1/environments/api-keys', { name: 'x', ...asked });
    expect([status, text]).toEqual([400, expect.stringMatching(fault)]);
  });

  it('should have other limits once they are changed, which the audit log tells', async () => {
    const sendWindow = { timezone: 'Europe/Berlin', weeklySchedule: { monday: { isEnabled: true } } };
    const { _id, key } = await agentKey(session, { limits: { people: 1, approvers: ['ada'], sendWindow } });
    const change = (limits: Json, by = session) => by.patch(`/v1/environments/api-keys/${_id}`, { limits });
    const changed = await dataOf(change({ people: 2, sendWindow: null }), 200);
    const limits = { ...AGENT_DEFAULTS, people: 2, approvers: ['ada'] };
    expect(changed).toMatchObject({ _id, kind: 'agent', limits });
    expect(changed['limits']).not.toHaveProperty('sendWindow');
    const { entries } = await dataOf<{ entries: Json[] }>(session.get('/v1/audit-log?limit=1'), 200);
    expect(entries).toMatchObject([
      {
        action: 'updateApiKey',
        resource: { type: 'api-key', id: _id },
        changes: [
          { path: 'limits.people', before: 1, after: 2 },
          { path: 'limits.sendWindow.timezone', before: 'Europe/Berlin' },
          { path: 'limits.sendWindow.weeklySchedule.monday.isEnabled', before: true },
        ],
      },
    ]);
    const agent = await connected(session, key);
    const { identifier } = await createWorkflow(session, [inApp('Hello')]);
    await subscribers('changed-1', 'changed-2', 'changed-3');
    const sent = [];
    for (const id of ['changed-1', 'changed-2', 'changed-3']) sent.push(await send(agent, identifier, id));
    expect(codes(sent)).toEqual(['agent_limit_reached', 'sent', 'sent']);
    expect(await dataOf(change({ people: null, approvers: null }), 200)).toMatchObject({ limits: AGENT_DEFAULTS });
    expect(await dataOf(change({}), 200)).toMatchObject({ limits: AGENT_DEFAULTS });
  });

  it('should keep its limits where they cannot be changed so, or by whoever asks', async () => {
    const { _id, key } = await agentKey(session, { limits: { people: 1 } });
    const path = `/v1/environments/api-keys/${_id}`;
    const server = await dataOf<AgentKey>(session.post('/v1/environments/api-keys', { name: 'server' }), 201);
    const admin = { name: 'admin', scopes: ['admin'] };
    const { key: onlyAdmin } = await dataOf<AgentKey>(session.post('/v1/environments/api-keys', admin), 201);
    const as = (token: string) => request(session.baseUrl).patch(path).set('Authorization', `ApiKey ${token}`);
    const limits = { people: 9 };
    const elsewhere = await delivery.api.session();
    for (const [asked, status, code] of [
      [session.patch(path, { limits: { people: -1 } }), 400, 'validation_failed'],
      [session.patch(path, {}), 400, 'validation_failed'],
      [session.patch(path, { limits: [] }), 400, 'validation_failed'],
      [session.patch(`/v1/environments/api-keys/${server._id}`, { limits }), 400, 'validation_failed'],
      [session.patch('/v1/environments/api-keys/nobody', { limits }), 404, 'api_key_not_found'],
      [elsewhere.patch(path, { limits }), 404, 'api_key_not_found'],
      [as(key).send({ limits }), 403, 'agent_key_elsewhere'],
      [as(onlyAdmin).send({ limits }), 403, 'key_exceeds_issuer'],
      [(await joined(session, 'editor')).patch(path, { limits }), 403, 'scope_missing'],
    ] as const) {
      expect(await codeOf(asked, status)).toBe(code);
    }
    const all = await dataOf<(AgentKey & { limits: Json })[]>(session.get('/v1/environments/api-keys/all'), 200);
    expect(all.find((one) => one._id === _id)?.limits).toMatchObject({ people: 1 });
  });

  it('should open /mcp and nothing else, which no person opens', async () => {
    const { key } = await agentKey(session);
    const as = (token: string, path: string) =>
      request(session.baseUrl).post(path).set('Authorization', `ApiKey ${token}`);
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect(await codeOf(as(key, '/v1/events/trigger').send({ name: 'x', to: 'y' }), 403)).toBe('agent_key_elsewhere');
    expect(await codeOf(as(key, '/v1/environments/api-keys').send({ name: 'x' }), 403)).toBe('agent_key_elsewhere');
    const owner = await joined(session, 'owner');
    expect(await codeOf(owner.post('/mcp', message), 403)).toBe('api_key_needed');
  });

  it('should have the limits that any key has at /mcp, unless it has its own', async () => {
    const { _id, key } = await dataOf<AgentKey>(session.post('/v1/environments/api-keys', { name: 'server' }), 201);
    const agent = await connected(session, key);
    const { identifier } = await createWorkflow(session, [inApp('Hello')]);
    const to = Array.from({ length: 11 }, (_, n) => `many-${n}`);
    await session
      .post('/v1/subscribers/bulk', { subscribers: to.map((subscriberId) => ({ subscriberId })) })
      .expect(201);
    const event = { workflow: identifier, dryRun: false };
    await ask(agent, 'trigger', { ...event, to: to.slice(1) });
    expect(await ask(agent, 'trigger', { ...event, to })).toMatchObject({ status: 'waits_for_person' });
    const { entries } = await dataOf<{ entries: Json[] }>(session.get('/v1/audit-log?limit=1'), 200);
    expect(entries).toMatchObject([{ via: 'mcp', actor: { type: 'api_key', id: _id } }]);
  });

  it('should sign for nobody, also when it is the oldest of its environment', async () => {
    const made = await agentKey(session);
    const keys = delivery.api.app.get(ApiKeysService, { strict: false });
    const { environmentId } = session;
    const before = [await keys.revealOldest(environmentId), (await keys.reveal(environmentId)).map(({ key }) => key)];
    await delivery.api.app
      .get<Model<unknown>>(getModelToken('ApiKey'), { strict: false })
      .collection.updateOne({ _id: toObjectId(made._id) }, { $set: { createdAt: new Date(0) } });
    expect([await keys.revealOldest(environmentId), (await keys.reveal(environmentId)).map(({ key }) => key)]).toEqual(
      before,
    );
    expect(before.flat()).not.toContain(made.key);
  });

  it('should call so often in a minute, whatever comes at once, and not be in the way of others', async () => {
    const { key } = await agentKey(session, { limits: { callsPerMinute: 6 } });
    const call = () =>
      request(session.baseUrl)
        .post('/mcp')
        .set('Authorization', `Bearer ${key}`)
        .send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const answers = await Promise.all(Array.from({ length: 20 }, call));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(14);
    expect(refused[0]?.body).toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('6 times in a minute') as string,
    });
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await (await agentOf(session)).listTools()).tools).not.toEqual([]);
    expect((await session.get('/v1/feeds')).status).toBe(200);
    delivery.clock.advance(MINUTE_MS / 6);
    expect((await call()).status).toBe(200);
    expect((await call()).status).toBe(429);
  });
});

describe('what an agent sends', () => {
  it('should be so many notifications in any period, of which two at once do not both get the last', async () => {
    const { identifier } = await createWorkflow(session, [inApp('Hello')]);
    await subscribers('ada', 'bob', 'cat');
    const limits = { notifications: 5, periodMinutes: 30, callsPerMinute: 1_000 };
    const { key } = await agentKey(session, { limits });
    const [agent, twin] = [await connected(session, key), await connected(session, key)];
    expect(codes([await send(agent, identifier, 'ada', 'bob', 'cat')])).toEqual(['sent']);
    delivery.clock.advance(20 * MINUTE_MS);
    const many = await Promise.all(Array.from({ length: 12 }, (_, i) => send(i % 2 ? agent : twin, identifier, 'ada')));
    expect(codes(many)).toEqual([...Array<string>(10).fill('agent_limit_reached'), 'sent', 'sent']);
    await delivery.drain();
    expect(await feedOf(session, 'ada')).toHaveLength(3);
    // Dry runs send nothing, and other keys have limits of their own.
    await ask(agent, 'trigger', { workflow: identifier, to: ['ada'] });
    expect(codes([await send(await agentOf(session), identifier, 'ada')])).toEqual(['sent']);
    // The first three are out of the period now, the last two are not.
    delivery.clock.advance(11 * MINUTE_MS);
    const next = await Promise.all(Array.from({ length: 8 }, () => send(agent, identifier, 'ada')));
    expect(codes(next)).toEqual([...Array<string>(5).fill('agent_limit_reached'), 'sent', 'sent', 'sent']);
  });

  it('should have the last place once, also of several processes', async () => {
    const { app } = delivery.api;
    const { _id: apiKeyId } = await agentKey(session);
    const { environmentId, organizationId } = session;
    const caller = { environmentId, organizationId, apiKeyId, userId: apiKeyId };
    const model = app.get<TenantModel<AgentUse>>(getModelToken('AgentUse'), { strict: false });
    const processes = Array.from({ length: 3 }, () => new AgentUses(model, delivery.clock));
    const limits = { ...AGENT_DEFAULTS, notifications: 5 };
    const calls = Array.from({ length: 10 }, (_, n) =>
      processes.map((one, place) => one.take(caller, limits, { notifications: 1, people: [`${n}-${place}`] })),
    );
    const taken = await Promise.allSettled(calls.flat());
    const refused = taken.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(taken.length - refused.length).toBe(5);
    for (const reason of refused) expect(reason).toMatchObject({ code: 'agent_limit_reached' });
  });

  it('should go to so many different people, also at once', async () => {
    const { identifier } = await createWorkflow(session, [inApp('Hello')]);
    const names = ['ann', 'bob', 'cat', 'dan', 'eve', 'fay'];
    await subscribers(...names);
    const agent = await agentOf(session, { limits: { people: 3, callsPerMinute: 1_000 } });
    const said = await Promise.all(names.map((name) => send(agent, identifier, name)));
    expect(codes(said)).toEqual([...Array<string>(3).fill('agent_limit_reached'), 'sent', 'sent', 'sent']);
    await delivery.drain();
    const reached = [];
    for (const name of names) if ((await feedOf(session, name)).length > 0) reached.push(name);
    expect(reached).toHaveLength(3);
    // Those whom it has reached are no more people.
    expect(codes([await send(agent, identifier, ...reached)])).toEqual(['sent']);
  });

  it('should reach only subscribers that exist, and count nothing that was refused', async () => {
    const { identifier } = await createWorkflow(session, [inApp('Hello')]);
    await subscribers('ada');
    const agent = await agentOf(session, { limits: { notifications: 1 } });
    expect((await send(agent, identifier, 'ada', 'nobody')).text).toContain("no subscriber 'nobody'");
    expect(codes([await send(agent, 'nothing', 'ada')])).toEqual(['workflow_not_found']);
    expect(await refusal(agent, 'trigger', { workflow: identifier, to: ['ada'], overrides: {} })).toMatch(
      /^validation_failed:/,
    );
    expect(codes([await send(agent, identifier, 'ada'), await send(agent, identifier, 'ada')])).toEqual([
      'agent_limit_reached',
      'sent',
    ]);
  });

  it('should count questions and replays as well', async () => {
    const { identifier } = await createWorkflow(session, [email('Hello', 'Hello')]);
    await session.post('/v1/subscribers', { subscriberId: 'ada', email: 'ada@example.com' }).expect(201);
    await subscribers('bob');
    await trigger(session, { name: identifier, to: 'ada' });
    await delivery.drain();
    const agent = await agentOf(session, { limits: { people: 1 } });
    expect(await ask(agent, 'replay_failed', { workflow: identifier, expected: 1 })).toMatchObject({
      status: 'running',
    });
    expect(await refusal(agent, 'ask', { title: 'Deploy?', to: ['bob'] })).toMatch(/^agent_limit_reached:/);
    expect(await ask(agent, 'ask', { title: 'Deploy?', to: ['ada'] })).toMatchObject({ status: 'open' });
  });

  it('should wait for the hours of its key, whatever it asks for', async () => {
    const { identifier } = await createWorkflow(session, [inApp('Hello')]);
    await subscribers('ada');
    const open = new Date(delivery.clock.now().getTime() + 60 * MINUTE_MS);
    const hour = (date: Date): string => `${String(date.getUTCHours()).padStart(2, '0')}:00`;
    const day = {
      isEnabled: true,
      hours: [{ start: hour(open), end: hour(new Date(open.getTime() + 60 * MINUTE_MS)) }],
    };
    const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
    const weeklySchedule = Object.fromEntries(days.map((name) => [name, day]));
    const agent = await agentOf(session, { limits: { sendWindow: { weeklySchedule }, approvalAbove: 0 } });
    expect((await send(agent, identifier, 'ada')).text).toMatch(
      new RegExp(`^agent_is_quiet:.*may again from .*T${hour(open)}`, 's'),
    );
    expect(await refusal(agent, 'ask', { title: 'Deploy?', to: ['ada'] })).toMatch(/^agent_is_quiet:/);
    expect(await ask(agent, 'trigger', { workflow: identifier, to: ['ada'] })).toMatchObject({ dryRun: true });
    delivery.clock.advance(60 * MINUTE_MS);
    expect(await ask(agent, 'trigger', { workflow: identifier, to: ['ada'], dryRun: false })).toMatchObject({
      status: 'waits_for_person',
    });
  });
});

describe('what is too large for an agent', () => {
  interface Waiting {
    readonly question: string;
    readonly result: string;
  }
  const wish = async (
    to: readonly string[],
    more: Json = {},
    key?: string,
  ): Promise<Waiting & { workflow: string }> => {
    const { identifier } = await createWorkflow(session, [inApp('Order {{number}}')]);
    const limits = { approvalAbove: 1, approvers: ['boss', 'gone'] };
    const agent = key === undefined ? await agentOf(session, { limits }) : await connected(session, key);
    const event = { workflow: identifier, to, payload: { number: 7 }, dryRun: false, ...more };
    const said = await ask<Waiting & { status: string }>(agent, 'trigger', event);
    expect(said.status).toBe('waits_for_person');
    return { ...said, workflow: identifier };
  };
  const read = (id: string): Promise<Json> => dataOf(session.get(`/v1/questions/${id}`), 200);

  beforeEach(() => subscribers('ada', 'bob', 'boss'));

  it('should be sent once a person of the console says yes, once, and be in the audit log as the agent', async () => {
    const { question, result, workflow } = await wish(['ada', 'bob']);
    await settle();
    expect(await feedOf(session, 'ada')).toEqual([]);
    const asked = await read(question);
    expect(asked).toMatchObject({
      title: `May the agent Claude trigger ${workflow} for 2 people?`,
      status: 'open',
      people: [{ subscriberId: 'boss' }],
      request: {
        operation: 'triggerEvent',
        agent: 'Claude',
        count: 2,
        workflow,
        result,
        body: { payload: { number: 7 } },
      },
    });
    expect((asked['request'] as { recipients: string[] }).recipients.sort()).toEqual(['ada', 'bob']);
    const editor = await joined(session, 'editor');
    const decide = () => editor.post(`/v1/questions/${question}/decision`, { value: 'approve' });
    const answers = await Promise.all([decide(), decide()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await settle();
    expect(await feedOf(session, 'ada')).toMatchObject([{ content: 'Order 7' }]);
    expect(await messagesOf(session, result)).toHaveLength(2);
    const decided = await read(question);
    expect(decided).toMatchObject({
      outcome: { value: 'approve', by: { type: 'user' } },
      request: { done: { at: expect.any(String) as string } },
    });
    expect(decided['request']).not.toHaveProperty('recipients');
    expect(decided['request']).not.toHaveProperty('body');
    const { entries } = await dataOf<{ entries: Json[] }>(session.get('/v1/audit-log'), 200);
    const told = entries.filter(({ via }) => via === 'mcp');
    expect(told).toMatchObject([
      {
        actor: { type: 'agent', name: 'Claude' },
        action: 'triggerEvent',
        outcome: 'done',
        resource: { type: 'event', id: result },
      },
      {
        actor: { type: 'agent', name: 'Claude' },
        action: 'createQuestion',
        outcome: 'done',
        resource: { type: 'question', id: question },
      },
    ]);
    expect(entries.find(({ action }) => action === 'decideQuestion')).toMatchObject({ actor: { type: 'user' } });
  });

  it('should ask nobody for what could not be sent', async () => {
    const agent = await agentOf(session, { limits: { approvalAbove: 1, approvers: ['boss'] } });
    const event = { workflow: 'unknown', to: ['ada', 'bob'], dryRun: false };
    expect(await refusal(agent, 'trigger', event)).toContain('workflow');
    expect(await dataOf(session.get('/v1/questions'), 200)).toEqual([]);
  });

  it('should be decided by one: whoever comes second is told who was first', async () => {
    const { question } = await wish(['ada', 'bob']);
    const [first, second] = [await joined(session, 'editor'), await joined(session, 'owner')];
    const answers = await Promise.all([
      first.post(`/v1/questions/${question}/decision`, { value: 'approve' }),
      second.post(`/v1/questions/${question}/decision`, { value: 'refuse' }),
      session.post(`/v1/questions/${question}/answers`, { subscriberId: 'boss', value: 'refuse' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.filter(({ status }) => status === 409).map(({ body }) => (body as Json)['code'])).toEqual([
      'question_ended',
      'question_ended',
    ]);
  });

  it('should be sent as well if one of those who are asked says yes, and not after a no or the end of its time', async () => {
    const yes = await wish(['ada', 'bob'], { transactionId: 'mine' });
    expect(yes.result).toBe('mine');
    await session.post(`/v1/questions/${yes.question}/answers`, { subscriberId: 'boss', value: 'approve' }).expect(200);
    const no = await wish(['ada', 'bob']);
    await session.post(`/v1/questions/${no.question}/answers`, { subscriberId: 'boss', value: 'refuse' }).expect(200);
    const late = await wish(['ada', 'bob']);
    delivery.clock.advance(24 * 60 * MINUTE_MS);
    await settle();
    expect(await messagesOf(session, 'mine')).toHaveLength(2);
    expect(await messagesOf(session, no.result)).toEqual([]);
    expect(await messagesOf(session, late.result)).toEqual([]);
    expect(await read(late.question)).toMatchObject({ status: 'expired', outcome: { value: 'refuse' } });
  });

  it('should not be sent to who was deleted meanwhile, and not for a key that was revoked', async () => {
    const one = await wish(['ada', 'bob']);
    await session.delete('/v1/subscribers/bob').expect(200);
    expect((await read(one.question))['request']).toMatchObject({ recipients: ['ada'] });
    const { _id, key } = await agentKey(session, { limits: { approvalAbove: 0 } });
    const other = await wish(['ada'], {}, key);
    await session.delete(`/v1/environments/api-keys/${_id}`).expect(204);
    const owner = await joined(session, 'owner');
    for (const { question } of [one, other]) {
      await owner.post(`/v1/questions/${question}/decision`, { value: 'approve' }).expect(200);
    }
    await settle();
    expect(await messagesOf(session, one.result)).toHaveLength(1);
    expect(await messagesOf(session, other.result)).toEqual([]);
    expect(await read(other.question)).toMatchObject({
      request: { done: { error: expect.stringContaining('revoked') as string } },
    });
  });

  it('should not be sent to whoever has the id of somebody who was deleted while it was carried out', async () => {
    const { question, result } = await wish(['ada', 'bob']);
    const { app } = delivery.api;
    const row = await app.get(QuestionStore, { strict: false }).find(session, question);
    await session.delete('/v1/subscribers/bob').expect(200);
    await subscribers('bob');
    await app.get(AgentRequests, { strict: false }).approved(new AgentRequestApproved(row as Question));
    await settle();
    expect((await messagesOf(session, result)).map(({ subscriber }) => subscriber?.subscriberId)).toEqual(['ada']);
  });

  it('should ask people as well, once a person has said yes', async () => {
    const agent = await agentOf(session, { limits: { approvalAbove: 1 } });
    const { question, result } = await ask<Waiting>(agent, 'ask', {
      title: 'Lunch?',
      to: ['ada', 'bob'],
      quorum: 'all',
    });
    expect(await read(question)).toMatchObject({ title: 'May the agent Claude ask 2 people?', people: [] });
    await settle();
    expect(await read(question)).toMatchObject({ status: 'open' });
    const editor = await joined(session, 'editor');
    await editor.post(`/v1/questions/${question}/decision`, { value: 'approve' }).expect(200);
    await settle();
    expect(await ask(agent, 'question', { id: question })).toMatchObject({ outcome: { value: 'approve' }, result });
    expect(await ask(agent, 'question', { id: result })).toMatchObject({
      title: 'Lunch?',
      status: 'open',
      people: ['ada', 'bob'],
    });
  });

  it('should be decided by people with the right to send, and by no key', async () => {
    const { question } = await wish(['ada', 'bob']);
    const path = `/v1/questions/${question}/decision`;
    expect(await codeOf(session.post(path, { value: 'approve' }), 403)).toBe('decision_needs_person');
    expect(await codeOf((await joined(session, 'viewer')).post(path, { value: 'approve' }), 403)).toBe('scope_missing');
    const editor = await joined(session, 'editor');
    expect(await codeOf(editor.post(path, { value: 'perhaps' }), 400)).toBe('validation_failed');
    const plain = await dataOf<{ _id: string }>(
      session.post('/v1/questions', { title: 'Deploy?', subscribers: ['ada'] }),
      201,
    );
    expect(await codeOf(editor.post(`/v1/questions/${plain._id}/decision`, { value: 'approve' }), 409)).toBe(
      'question_is_for_asked',
    );
    const [, other] = await delivery.api.siblings();
    expect(await codeOf((await joined(other, 'editor')).post(path, { value: 'approve' }), 404)).toBe(
      'question_not_found',
    );
  });
});
