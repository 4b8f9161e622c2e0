import { jest } from '@jest/globals';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, mongo } from 'mongoose';
import { WORKING } from '../../src/engine/questions/question-worker.js';
import { WaitingWork } from '../../src/operations/testing/waiting-work.js';
import { codeOf, dataOf, faultsOf, type Json, pageOf } from '../support/answers.js';
import { browserOf } from '../support/browser-session.js';
import { createWorkflow, feedOf, inApp, trigger, waitForEvent } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';
import { useSession } from '../support/test-api.js';
import { createReceiver } from '../support/webhook-receiver.js';

const HOUR_S = 3_600;
const DAY_MS = 86_400_000;
const LEASE_MS = 10_000;

const delivery = useDeliveryApi('questions', {
  DELIVERY_WORKER: 'off',
  DELIVERY_LEASE_MS: String(LEASE_MS),
  LOG_LEVEL: 'silent',
});
const session = useSession(delivery.api);

const settle = (ms = 0): Promise<void> => {
  delivery.clock.advance(ms);
  return delivery.api.app.get(WaitingWork, { strict: false }).runDue();
};
const people = async (...ids: string[]): Promise<void> => {
  for (const subscriberId of ids) {
    const name = { firstName: subscriberId.replace(/^./, (first) => first.toUpperCase()) };
    await session.post('/v1/subscribers', { subscriberId, ...name }).expect(201);
  }
};
const ask = async (body: Json = {}): Promise<Json & { _id: string }> => {
  const made = await dataOf<Json & { _id: string }>(
    session.post('/v1/questions', { title: 'Deploy version 4.2?', subscribers: ['ada', 'bob'], ...body }),
    201,
  );
  await settle();
  return made;
};
const get = (id: string): Promise<Json> => dataOf(session.get(`/v1/questions/${id}`), 200);
const answer = (id: string, subscriberId: string, value: string | number) =>
  session.post(`/v1/questions/${id}/answers`, { subscriberId, value });
const byAda = (value: string | number): Json => ({ value, by: { type: 'subscriber', subscriberId: 'ada' } });

describe('a question', () => {
  beforeEach(() => people('ada', 'bob', 'cay'));

  it('should make the workflow of questions once where several are the first', async () => {
    const first = { title: 'Deploy?', subscribers: ['ada'] };
    const made = await Promise.all(Array.from({ length: 8 }, () => session.post('/v1/questions', first).expect(201)));
    const { data } = await pageOf<Json>(session.get('/v1/workflows?limit=100'));
    expect(data.map(({ name, active, critical, tags }) => [name, active, critical, tags])).toEqual([
      ['Question', true, true, ['question']],
    ]);
    expect(new Set(made.map(({ body }) => (body as { data: Json }).data['workflow']))).toEqual(new Set(['question']));
  });

  it('should be asked in the app with buttons, and be answered by one of them', async () => {
    const { _id } = await ask({ body: 'All tests have passed.' });
    const [copy] = await feedOf(session, 'ada');
    expect(copy).toMatchObject({ content: expect.stringContaining('Deploy version 4.2?') as string });
    expect(copy?.cta.action.buttons.map(({ type, content }) => [type, content])).toEqual([
      ['primary', 'Approve'],
      ['secondary', 'Refuse'],
    ]);
    const ada = await browserOf(delivery.api, session, 'ada');
    await ada.patch(`/v1/inbox/notifications/${copy?._id}/complete`, { actionType: 'primary' }).expect(200);
    await settle();
    const ended = await get(_id);
    expect(ended).toMatchObject({ status: 'answered', outcome: byAda('approve') });
    expect(ended['answers']).toEqual([
      expect.objectContaining({ subscriberId: 'ada', value: 'approve', via: 'inbox', isAuthentic: true }),
    ]);
    for (const person of ['ada', 'bob']) {
      const [seen] = await feedOf(session, person);
      expect(seen?.content).toContain('Answered by Ada: Approve');
      expect(seen?.cta.action).toMatchObject({ status: 'done', buttons: [] });
    }
    const [late] = await feedOf(session, 'bob');
    const bob = await browserOf(delivery.api, session, 'bob');
    const path = `/v1/widgets/messages/${late?._id}/actions/secondary`;
    expect(await codeOf(bob.post(path, { status: 'done' }), 409)).toBe('question_ended');
    const inboxPath = `/v1/inbox/notifications/${late?._id}/complete`;
    expect(await codeOf(bob.patch(inboxPath, { actionType: 'secondary' }), 409)).toBe('question_ended');
    const byKey = `/v1/subscribers/bob/messages/${late?._id}/actions/primary`;
    expect(await codeOf(session.post(byKey, { status: 'done' }), 409)).toBe('question_ended');
    const revert = `/v1/inbox/notifications/${copy?._id}/revert`;
    expect(await codeOf(ada.patch(revert, { actionType: 'primary' }), 409)).toBe('question_already_answered');
  });

  it('should be answered by the session of the subscriber, without a message', async () => {
    const options = ['red', 'blue', 'green'].map((id) => ({ id, label: `The ${id} one` }));
    const { _id } = await ask({ kind: 'choose', options, quorum: 2 });
    const ada = await browserOf(delivery.api, session, 'ada');
    const bob = await browserOf(delivery.api, session, 'bob');
    const cay = await browserOf(delivery.api, session, 'cay');
    const path = `/v1/inbox/questions/${_id}/answers`;
    expect(await dataOf<Json>(ada.post(path, { value: 'red' }), 200)).toEqual({ _id, status: 'open' });
    expect(await codeOf(ada.post(path, { value: 'blue' }), 409)).toBe('question_already_answered');
    expect(await codeOf(cay.post(path, { value: 'red' }), 403)).toBe('subscriber_not_asked');
    const missing = '/v1/inbox/questions/64f0c1a2b3c4d5e6f7a8b9c0/answers';
    expect(await codeOf(cay.post(missing, { value: 'red' }), 404)).toBe('question_not_found');
    await bob.post(path, { value: 'red' }).expect(200);
    expect(await get(_id)).toMatchObject({
      status: 'answered',
      outcome: { value: 'red', by: { subscriberId: 'bob' } },
    });
    const other = await ask();
    await answer(other._id, 'ada', 'approve').expect(200);
    const late = `/v1/inbox/questions/${other._id}/answers`;
    expect(await codeOf(bob.post(late, { value: 'approve' }), 409)).toBe('question_ended');
  });

  it('should have one winner of two who answer at once, and tell the other who decided and when', async () => {
    const hook = await createReceiver(session, ['question.answered']);
    const { _id } = await ask();
    const both = await Promise.all([answer(_id, 'ada', 'approve'), answer(_id, 'bob', 'refuse')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const ended = await get(_id);
    const winner = both[0].status === 200 ? 'ada' : 'bob';
    expect(ended).toMatchObject({ status: 'answered', outcome: { by: { subscriberId: winner } } });
    const late = both.find(({ status }) => status === 409);
    expect(JSON.stringify(late?.body)).toContain(`'${winner}' decided`);
    expect(JSON.stringify(late?.body)).toContain(String((ended['outcome'] as Json)['at']));
    // The same answer again is no second one.
    await answer(_id, winner, winner === 'ada' ? 'approve' : 'refuse').expect(200);
    await settle();
    await settle();
    expect(hook.bodies()).toEqual([
      expect.objectContaining({
        type: 'question.answered',
        data: { question: expect.objectContaining({ _id, status: 'answered', outcome: ended['outcome'] }) as Json },
      }),
    ]);
    await hook.server.close();
  });

  it('should refuse who is not asked, what is no answer, and another answer of the same person', async () => {
    const { _id } = await ask({ quorum: 2 });
    expect(await codeOf(answer(_id, 'cay', 'approve'), 403)).toBe('subscriber_not_asked');
    expect(await codeOf(answer(_id, 'nobody', 'approve'), 403)).toBe('subscriber_not_asked');
    expect(await faultsOf(answer(_id, 'ada', 'perhaps'))).toEqual(['value must be one of: approve, refuse']);
    await answer(_id, 'ada', 'approve').expect(200);
    expect(await codeOf(answer(_id, 'ada', 'refuse'), 409)).toBe('question_already_answered');
    const missing = '64f0c1a2b3c4d5e6f7a8b9c0';
    expect(await codeOf(answer(missing, 'ada', 'approve'), 404)).toBe('question_not_found');
    expect(await codeOf(session.get(`/v1/questions/${missing}`), 404)).toBe('question_not_found');
    expect(await codeOf(session.post(`/v1/questions/${missing}/cancel`), 404)).toBe('question_not_found');
  });

  it.each<[string, Json, string]>([
    ['nobody', { subscribers: null }, 'subscribers or topics must say who is asked'],
    ['a stranger', { subscribers: ['eve'] }, "subscribers: 'eve' must be the id of a subscriber of this environment"],
    ['an unknown topic', { topics: ['none'] }, "topics: 'none' must be the key of a topic of this environment"],
    ['a choice without options', { kind: 'choose' }, 'options must name at least two answers to choose from'],
    [
      'options of an approval',
      { options: [{ id: 'a', label: 'A' }] },
      "options are for questions of the kind 'choose'",
    ],
    ['a quorum of more than all', { quorum: 3 }, 'quorum must not be more than the 2 who are asked'],
    [
      'votes for texts',
      { kind: 'text', quorum: 2 },
      "quorum must be 'one': texts and numbers are not counted as votes",
    ],
    ['a veto of a choice', { kind: 'number', veto: true }, "veto is for questions of the kind 'approve'"],
    ['a wrong default', { default: 'perhaps' }, 'default must be one of: approve, refuse'],
    ['a wrong schema', { kind: 'text', schema: { type: 7 } }, 'schema is not a JSON Schema'],
    ['a schema of an approval', { schema: {} }, "schema is for questions of the kinds 'text' and 'number'"],
    ['the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt must be in the future'],
    ['a reminder after the end', { expiresIn: 60, remindAfter: 60 }, 'remindAfter must be before the end'],
    [
      'a wave after the end',
      { expiresIn: 60, waves: [{ subscribers: ['cay'], after: 60 }] },
      'waves must be asked before',
    ],
    ['an empty wave', { waves: [{ after: 60 }] }, 'waves.0 must name subscribers or topics'],
    ['waves at once', { waves: [{ subscribers: ['cay'] }] }, 'waves.0.after must be more than 0'],
    [
      'an unknown workflow',
      { workflow: 'none' },
      "workflow: 'none' must be the identifier of a workflow of this environment",
    ],
  ])('should be refused with %s', async (_case, body, expected) => {
    const call = session.post('/v1/questions', { title: 'Deploy?', subscribers: ['ada', 'bob'], ...body });
    expect((await faultsOf(call)).join('; ')).toContain(expected);
    expect((await pageOf(session.get('/v1/questions'))).data).toEqual([]);
  });

  it('should take a text or a number that fits its schema', async () => {
    const { _id } = await ask({ kind: 'number', schema: { minimum: 1, maximum: 10 } });
    expect(await faultsOf(answer(_id, 'ada', 11))).toEqual([
      'value does not fit the schema of the question: it must be <= 10',
    ]);
    expect(await faultsOf(answer(_id, 'ada', '7'))).toEqual(['value must be a number']);
    await answer(_id, 'ada', 7).expect(200);
    expect(await get(_id)).toMatchObject({ status: 'answered', outcome: byAda(7) });
  });

  it('should refuse an answer that the pattern of its schema takes too long to judge', async () => {
    const { _id } = await ask({ kind: 'text', schema: { pattern: '^(a+)+$' } });
    const [fault] = await faultsOf(answer(_id, 'ada', `${'a'.repeat(4_000)}!`));
    expect(fault).toMatch(/^value cannot be compared with the schema of the question: /);
    await answer(_id, 'ada', 'aaa').expect(200);
  });

  it('should be approved by enough people, and be refused as soon as they cannot be enough', async () => {
    const subscribers = ['ada', 'bob', 'cay'];
    const votes = async (body: Json, ...given: [string, string][]): Promise<Json> => {
      const { _id } = await ask({ subscribers, ...body });
      for (const [person, value] of given) await answer(_id, person, value).expect(200);
      return get(_id);
    };
    const yes = (person: string): [string, string] => [person, 'approve'];
    const no = (person: string): [string, string] => [person, 'refuse'];
    expect(await votes({ quorum: 2 }, yes('ada'))).toMatchObject({ status: 'open' });
    expect(await votes({ quorum: 2 }, yes('ada'), no('bob'), yes('cay'))).toMatchObject({
      outcome: { value: 'approve' },
    });
    expect(await votes({ quorum: 2 }, no('ada'), no('bob'))).toMatchObject({ outcome: { value: 'refuse' } });
    expect(await votes({ quorum: 'all' }, yes('ada'), no('bob'))).toMatchObject({ outcome: { value: 'refuse' } });
    expect(await votes({ quorum: 2, veto: true }, no('ada'))).toMatchObject({ outcome: byAda('refuse') });
    const options = ['red', 'blue', 'green'].map((id) => ({ id, label: id }));
    const choose = { kind: 'choose', options, quorum: 2 };
    expect(await votes(choose, ['ada', 'red'], ['bob', 'blue'], ['cay', 'blue'])).toMatchObject({
      outcome: { value: 'blue' },
    });
    const undecided = await votes(choose, ['ada', 'red'], ['bob', 'blue'], ['cay', 'green']);
    expect(undecided).toMatchObject({ status: 'undecided' });
    expect(undecided['outcome']).not.toHaveProperty('value');
  });

  it('should wait a year, remind once, ask the next wave, and end with its default', async () => {
    await session.post('/v1/topics', { key: 'team', name: 'Team' }).expect(201);
    await session.post('/v1/topics/team/subscribers', { subscribers: ['cay', 'ada'] }).expect(200);
    const { _id } = await ask({
      subscribers: ['ada'],
      waves: [
        { subscribers: ['bob'], after: HOUR_S },
        { topics: ['team'], after: 2 * HOUR_S },
      ],
      remindAfter: 90 * 60,
      expiresIn: 365 * 24 * HOUR_S,
      default: 'refuse',
    });
    const asked = async (): Promise<number[]> =>
      Promise.all(['ada', 'bob', 'cay'].map(async (person) => (await feedOf(session, person)).length));
    expect(await asked()).toEqual([1, 0, 0]);
    await settle(HOUR_S * 1_000);
    expect(await asked()).toEqual([1, 1, 0]);
    await settle(HOUR_S * 500);
    expect(await asked()).toEqual([2, 2, 0]);
    await settle(HOUR_S * 500);
    expect(await asked()).toEqual([2, 2, 1]);
    await settle(365 * DAY_MS - 2 * HOUR_S * 1_000 - 1);
    expect(await get(_id)).toMatchObject({ status: 'open' });
    await settle(1);
    const ended = await get(_id);
    expect(ended).toMatchObject({
      status: 'expired',
      outcome: { value: 'refuse', by: { type: 'default' }, at: ended['expiresAt'] },
    });
    expect(await asked()).toEqual([2, 2, 1]);
    expect((await feedOf(session, 'bob'))[0]?.content).toContain('Nobody answered in time: Refuse');
    expect(await codeOf(answer(_id, 'ada', 'approve'), 409)).toBe('question_ended');
  });

  it('should ask nobody any more once it is decided or canceled', async () => {
    const waves = [{ subscribers: ['cay'], after: HOUR_S }];
    const decided = await ask({ waves });
    await answer(decided._id, 'bob', 'approve').expect(200);
    const canceled = await ask({ waves });
    await session.post(`/v1/questions/${canceled._id}/cancel`).expect(200);
    await session.post(`/v1/questions/${canceled._id}/cancel`).expect(200);
    expect(await get(canceled._id)).toMatchObject({ status: 'canceled', outcome: { by: { type: 'api_key' } } });
    expect(await codeOf(session.post(`/v1/questions/${decided._id}/cancel`), 409)).toBe('question_ended');
    await settle(2 * HOUR_S * 1_000);
    expect(await feedOf(session, 'cay')).toEqual([]);
    const ends = (await feedOf(session, 'ada')).map(({ content }) => /<p>(.*)<\/p>/.exec(String(content))?.[1]);
    expect(ends.sort()).toEqual(['Answered by Bob: Approve', 'The question was canceled.']);
  });

  it('should end at its time limit by the answer that comes too late, before any worker looks', async () => {
    const { _id } = await ask({ expiresIn: HOUR_S });
    delivery.clock.advance(HOUR_S * 1_000);
    const late = await answer(_id, 'ada', 'approve').expect(409);
    expect(JSON.stringify(late.body)).toContain('nobody decided in time');
    expect(await get(_id)).toMatchObject({ status: 'expired' });
  });

  it('should answer whoever waits for it as soon as it is decided', async () => {
    const { _id } = await ask();
    const began = performance.now();
    const waited = dataOf<Json>(session.get(`/v1/questions/${_id}?wait=60`), 200);
    await answer(_id, 'ada', 'approve').expect(200);
    expect(await waited).toMatchObject({ status: 'answered' });
    expect(performance.now() - began).toBeLessThan(50_000);
    const open = await ask();
    expect(await dataOf<Json>(session.get(`/v1/questions/${open._id}?wait=1`), 200)).toMatchObject({ status: 'open' });
    await session.get(`/v1/questions/${open._id}?wait=61`).expect(400);
  });

  it('should be looked for once, however many wait for it', async () => {
    const { _id } = await ask();
    const questions = delivery.api.app.get<Connection>(getConnectionToken()).collection('questions');
    const find = jest.spyOn(mongo.Collection.prototype, 'find');
    const waiting = Array.from({ length: 50 }, () => dataOf<Json>(session.get(`/v1/questions/${_id}?wait=60`), 200));
    const looks = (): number =>
      find.mock.calls.filter(([filter]) => JSON.stringify(filter ?? {}).includes('"status":"open"')).length;
    await eventually(() => expect(looks()).toBeGreaterThan(1));
    expect(looks()).toBeLessThan(10);
    // As another process does, which tells nobody here.
    const outcome = { at: delivery.clock.now(), value: 'approve', by: { type: 'default' } };
    await questions.updateOne({ _id: new mongo.ObjectId(_id) }, { $set: { status: 'expired', outcome } });
    for (const found of await Promise.all(waiting)) expect(found).toMatchObject({ status: 'expired' });
    find.mockRestore();
  });

  it('should be carried by a workflow of the team, and end the waits for it', async () => {
    const { identifier } = await createWorkflow(session, [inApp('{{question.kind}}: {{question.title}} {{order}}')]);
    const { _id } = await ask({ workflow: identifier, payload: { order: 7 }, subscribers: ['ada'] });
    expect((await feedOf(session, 'ada'))[0]?.content).toBe('approve: Deploy version 4.2? 7');
    expect(await get(_id)).toMatchObject({ asked: [{ status: 'processed' }] });
    const match = [{ path: 'questionId', value: '{{id}}' }];
    const waiting = await createWorkflow(session, [
      waitForEvent({ event: 'question.answered', match, amount: 1, unit: 'days' }, { stepId: 'wait' }),
      inApp('{{steps.wait.payload.value}}'),
    ]);
    await trigger(session, { name: waiting.identifier, to: 'cay', payload: { id: _id } });
    await settle();
    await answer(_id, 'ada', 'refuse').expect(200);
    await settle();
    expect((await feedOf(session, 'cay'))[0]?.content).toBe('refuse');
  });

  it('should be in the audit log with each answer, and in the list of those who are asked', async () => {
    const { _id } = await ask({ quorum: 2 });
    await answer(_id, 'ada', 'approve').expect(200);
    const [copy] = await feedOf(session, 'bob');
    const bob = await browserOf(delivery.api, session, 'bob');
    await bob.patch(`/v1/inbox/notifications/${copy?._id}/complete`, { actionType: 'primary' }).expect(200);
    await settle();
    const { entries } = await dataOf<{ entries: Json[] }>(session.get(`/v1/audit-log?resourceId=${_id}`), 200);
    const shown = entries.map(({ action, actor, via }) => [action, (actor as Json)['type'], via]);
    expect(shown.sort()).toEqual([
      ['answerQuestion', 'api_key', 'api'],
      ['answerQuestion', 'subscriber', 'inbox'],
      ['createQuestion', 'api_key', 'api'],
    ]);
    const ids = async (query: string) =>
      (await pageOf<Json>(session.get(`/v1/questions${query}`))).data.map((row) => row['_id']);
    expect(await ids('?subscriberId=ada&status=answered')).toEqual([_id]);
    expect(await ids('?subscriberId=cay')).toEqual([]);
    const row = { answers: (await delivery.rows('questions')).flatMap(({ answers }) => answers as Json[]) };
    expect(row.answers.every(({ signature }) => String(signature).length > 40)).toBe(true);
  });

  it.each([0, 1, 2, 3, 4, 5])(
    'should go on after a worker that died at its point %i, and do all of it once',
    async (point) => {
      const hook = await createReceiver(session, ['question.answered']);
      let passed = 0;
      WORKING.arm(() => (passed++ === point ? Promise.reject(new mongo.MongoError('dead')) : Promise.resolve()));
      const { _id } = await ask({ waves: [{ subscribers: ['cay'], after: 30 }] });
      await settle(LEASE_MS);
      await settle(30_000);
      await settle(LEASE_MS);
      await answer(_id, 'ada', 'approve').expect(200);
      await settle();
      await settle(LEASE_MS);
      await settle();
      WORKING.disarm();
      expect(passed).toBeGreaterThan(point);
      for (const person of ['ada', 'bob', 'cay']) {
        const copies = await feedOf(session, person);
        expect(copies).toHaveLength(1);
        expect(copies[0]?.content).toContain('Answered by Ada: Approve');
      }
      expect(hook.bodies()).toHaveLength(1);
      await hook.server.close();
    },
  );

  it('should tell of an answer that came while a worker held the question, as soon as the worker is done', async () => {
    const { _id } = await ask({ remindAfter: HOUR_S });
    let isAnswered = false;
    WORKING.arm(async () => {
      if (isAnswered) return;
      isAnswered = true;
      await answer(_id, 'ada', 'approve').expect(200);
    });
    await settle(HOUR_S * 1_000);
    WORKING.disarm();
    await settle();
    const [copy] = await feedOf(session, 'bob');
    expect(copy?.content).toContain('Answered by Ada: Approve');
  });

  it('should show that an answer was changed in the store', async () => {
    const { _id } = await ask();
    await answer(_id, 'ada', 'approve').expect(200);
    const db = delivery.api.app.get<Connection>(getConnectionToken());
    const own = { _id: new mongo.ObjectId(_id) };
    await db.collection('questions').updateOne(own, { $set: { 'answers.0.value': 'refuse' } });
    expect(await get(_id)).toMatchObject({ answers: [{ value: 'refuse', isAuthentic: false }] });
  });

  it('should go on without a person who is deleted, whose answer stays without a name', async () => {
    const { _id } = await ask({ quorum: 'all', subscribers: ['ada', 'bob'] });
    await answer(_id, 'ada', 'approve').expect(200);
    await settle();
    await session.delete('/v1/subscribers/bob').expect(200);
    await settle();
    expect(await get(_id)).toMatchObject({ status: 'answered', outcome: { value: 'approve' } });
    await session.delete('/v1/subscribers/ada').expect(200);
    const left = await get(_id);
    expect(JSON.stringify([left['people'], left['answers'], left['outcome']])).not.toMatch(/ada|bob/);
    expect(left).toMatchObject({ answers: [{ value: 'approve', isAuthentic: true }] });
  });
});
