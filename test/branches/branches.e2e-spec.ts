import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dataOf, faultsOf, type Json, pageOf } from '../support/answers.js';
import {
  createWorkflow,
  delay,
  feedOf,
  inApp,
  notificationOf,
  type SentStep,
  type ShownNotification,
  trigger,
} from '../support/delivery.js';
import { useDelivery, useSession } from '../support/herald.js';

const on = (field: string, operator: string, value: unknown): Json[] => [
  { children: [{ on: 'payload', field, operator, value }] },
];

/** A branch with an arm for each of the names, taken if `plan` is that name. */
const branch = (stepId: string, names: readonly string[], more: Json = {}): SentStep => ({
  stepId,
  template: { type: 'branch' },
  variants: names.map((name) => ({ name, template: { type: 'branch' }, filters: on('plan', 'EQUAL', name) })),
  ...more,
});
const split = (stepId: string, metadata: Json, more: Json = {}): SentStep => ({
  stepId,
  template: { type: 'split' },
  metadata,
  ...more,
});
const within = (step: string, arm: string): Json => ({ branch: { step, arm } });

describe('steps with arms', () => {
  const delivery = useDelivery();
  const session = useSession(delivery);

  const contents = async (subscriberId = 'ann'): Promise<string[]> =>
    (await feedOf(session, subscriberId)).map(({ content }) => content).reverse();
  const send = async (name: string, payload: Json = {}, to = 'ann'): Promise<ShownNotification> => {
    const id = await trigger(session, { name, to, payload });
    await delivery.drain(600_000);
    return notificationOf(session, id);
  };
  const ends = ({ jobs }: ShownNotification): string[] =>
    jobs.map(({ status, reason }) => (reason === undefined ? status : `${status} ${reason}`));
  const rawOf = ({ jobs }: ShownNotification, step: number, text: string): unknown => {
    const found = jobs[step]?.executionDetails.find(({ detail }) => detail === text);
    return found && (JSON.parse(found.raw ?? '{}') as unknown);
  };

  describe('a branch', () => {
    const STEPS = [
      branch('plan', ['pro', 'trial']),
      inApp('for pro', within('plan', 'pro')),
      delay({}, within('plan', 'trial')),
      inApp('for trial', within('plan', 'trial')),
      inApp('for others', within('plan', 'else')),
      inApp('for all, after {{steps.plan.arm}}'),
    ];

    it('should run the steps of the first arm whose conditions pass, else those of else, and the ones after it', async () => {
      const { identifier } = await createWorkflow(session, STEPS);
      const pro = await send(identifier, { plan: 'pro' });
      const other = 'skipped other_arm';
      expect(ends(pro)).toEqual(['completed', 'completed', other, other, other, 'completed']);
      expect(ends(await send(identifier, { plan: 'trial' }))).toEqual([
        'completed',
        other,
        'completed',
        'completed',
        other,
        'completed',
      ]);
      expect(ends(await send(identifier, { plan: 'none' }))).toEqual([
        'completed',
        other,
        other,
        other,
        'completed',
        'completed',
      ]);
      expect((await contents()).sort()).toEqual([
        'for all, after else',
        'for all, after pro',
        'for all, after trial',
        'for others',
        'for pro',
        'for trial',
      ]);
      expect(rawOf(pro, 0, 'Branch was decided')).toMatchObject({
        arm: 'pro',
        arms: [{ name: 'pro', passed: true, conditions: [{ field: 'plan', actual: 'pro' }] }],
      });
      expect(rawOf(pro, 2, 'Step skipped because it stands in another arm')).toEqual({
        branch: { step: 'plan', arm: 'trial' },
      });
    });

    it('should be decided once, whatever becomes of the subscriber while the run waits', async () => {
      await session.post('/v1/subscribers', { subscriberId: 'ann', data: { plan: 'pro' } }).expect(201);
      const filters = [{ children: [{ on: 'subscriber', field: 'data.plan', operator: 'EQUAL', value: 'pro' }] }];
      const { identifier } = await createWorkflow(session, [
        { ...branch('plan', []), variants: [{ name: 'pro', template: { type: 'branch' }, filters }] },
        delay(),
        inApp('pro', within('plan', 'pro')),
        inApp('else', within('plan', 'else')),
      ]);
      await trigger(session, { name: identifier, to: 'ann' });
      await delivery.drain();
      await session.put('/v1/subscribers/ann', { data: { plan: 'trial' } }).expect(200);
      await delivery.drain(600_000);
      expect(await contents()).toEqual(['pro']);
    });

    it('should have arms within arms, and take none within an arm that is not taken', async () => {
      const { identifier } = await createWorkflow(session, [
        branch('plan', ['pro', 'trial']),
        branch('size', ['pro'], within('plan', 'pro')),
        inApp('inner', within('size', 'pro')),
        inApp('inner else', within('size', 'else')),
      ]);
      expect(ends(await send(identifier, { plan: 'pro' }))).toEqual([
        'completed',
        'completed',
        'completed',
        'skipped other_arm',
      ]);
      expect(ends(await send(identifier, { plan: 'trial' })).slice(1)).toEqual([
        'skipped other_arm',
        'skipped other_arm',
        'skipped other_arm',
      ]);
    });

    it('should take no arm where its conditions say that it does not run', async () => {
      const filters = on('on', 'EQUAL', true);
      const { identifier } = await createWorkflow(session, [
        branch('plan', ['pro'], { filters }),
        inApp('else', within('plan', 'else')),
        inApp('after'),
      ]);
      expect(ends(await send(identifier, { plan: 'pro' }))).toEqual([
        'skipped conditions',
        'skipped other_arm',
        'completed',
      ]);
    });

    it('should ask a webhook that does not answer again, and take an arm only when it has answered', async () => {
      const answers = [500, 200];
      const server: Server = createServer((_request, response) => {
        response.writeHead(answers.shift() ?? 200, { 'content-type': 'application/json' });
        response.end('{"plan":"pro"}');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const filters = [{ children: [{ on: 'webhook', webhookUrl, field: 'plan', operator: 'EQUAL', value: 'pro' }] }];
      const { identifier } = await createWorkflow(session, [
        { ...branch('plan', []), variants: [{ name: 'pro', template: { type: 'branch' }, filters }] },
        inApp('pro', within('plan', 'pro')),
        inApp('else', within('plan', 'else')),
      ]);
      await send(identifier);
      server.close();
      expect(answers).toEqual([]);
      expect(await contents()).toEqual(['pro']);
    });

    it('should say in a dry run which arm would be taken', async () => {
      const { identifier } = await createWorkflow(session, STEPS);
      const { recipients } = dataOf<{ recipients: { steps: Json[] }[] }>(
        await session
          .post('/v1/events/trigger/dry-run', { name: identifier, to: 'ann', payload: { plan: 'trial' } })
          .expect(200),
      );
      const [decided, skipped] = recipients[0]?.steps ?? [];
      expect(decided).toMatchObject({ type: 'branch', arm: { name: 'trial' } });
      expect(skipped).toMatchObject({ status: 'skipped', reason: 'other_arm' });
    });

    it('should come back as it was sent, also in the definition of the workflow', async () => {
      const { _id, identifier } = await createWorkflow(session, STEPS);
      const { steps } = dataOf<{ steps: Json[] }>(await session.get(`/v1/workflows/${_id}`).expect(200));
      expect(steps.map((step) => step['branch'])).toEqual(STEPS.map((step) => step['branch']));
      const definitionOf = async (): Promise<Json | undefined> =>
        (await pageOf<{ definition: Json }>(session.get('/v1/definitions/workflows'))).data[0]?.definition;
      const definition = await definitionOf();
      const shown = definition?.['steps'] as Json[];
      expect(shown.map((step) => step['branch'])).toEqual(STEPS.map((step) => step['branch']));
      await session.put(`/v1/definitions/workflows/${identifier}`, definition).expect(200);
      expect(await definitionOf()).toEqual(definition);
    });
  });

  describe('a split', () => {
    const HALVES = { arms: [{ name: 'A', share: 50 }, { name: 'B', share: 50 }] }; // prettier-ignore

    it('should always put a subscriber into the same arm, until one wins', async () => {
      const steps = [split('test', HALVES), inApp('A', within('test', 'A')), inApp('B', within('test', 'B'))];
      const { _id, identifier } = await createWorkflow(session, steps);
      const people = Array.from({ length: 12 }, (_, n) => `s${n}`);
      for (const id of [...people, ...people]) await trigger(session, { name: identifier, to: { subscriberId: id } });
      await delivery.drain();
      const arms = new Set<string>();
      for (const id of people) {
        const [one = '', other = ''] = await contents(id);
        expect([id, one]).toEqual([id, other]);
        arms.add(one);
      }
      expect([...arms].sort()).toEqual(['A', 'B']);
      const { steps: stored } = dataOf<{ steps: Json[] }>(await session.get(`/v1/workflows/${_id}`).expect(200));
      const [decider = {}, ...others] = stored;
      const won = [{ ...decider, metadata: { ...HALVES, winner: 'B' } }, ...others];
      await session.put(`/v1/workflows/${_id}`, { steps: won }).expect(200);
      for (const id of people) {
        const run = await send(identifier, {}, id);
        expect(rawOf(run, 0, 'Split was decided')).toEqual({ arm: 'B', isWinner: true });
      }
    });
  });

  describe('GET /v1/activity/steps', () => {
    const figuresOf = async (workflow: string): Promise<Json[]> =>
      dataOf<{ steps: Json[] }>(await session.get(`/v1/activity/steps?workflow=${workflow}`).expect(200)).steps;

    it('should count who took each arm, and what became of the messages in it', async () => {
      const halves = { arms: [{ name: 'A', share: 50 }, { name: 'B', share: 50 }] }; // prettier-ignore
      const steps = [
        split('test', halves, { name: 'Words' }),
        inApp('A', within('test', 'A')),
        inApp('A again', within('test', 'A')),
        inApp('B', within('test', 'B')),
      ];
      const { _id, identifier } = await createWorkflow(session, steps);
      const people = Array.from({ length: 12 }, (_, n) => `s${n}`);
      for (const id of people) await trigger(session, { name: identifier, to: { subscriberId: id } });
      await delivery.drain();
      // Counted from outside, by what people have got.
      const inA: string[] = [];
      for (const id of people) if ((await contents(id)).includes('A')) inA.push(id);
      const [reader = ''] = inA;
      const [message] = await feedOf(session, reader);
      const mark = { messageId: message?._id, markAs: 'read' };
      await session.post(`/v1/subscribers/${reader}/messages/mark-as`, mark).expect(201);
      const expected = {
        uuid: expect.any(String) as string,
        name: 'Words',
        type: 'split',
        completed: 12,
        messages: 0,
        arms: [
          { name: 'A', runs: inA.length, messages: 2 * inA.length, seen: 1, read: 1, clicked: 0 },
          { name: 'B', runs: 12 - inA.length, messages: 12 - inA.length, seen: 0, read: 0, clicked: 0 },
        ],
      };
      const sent = (n: number): object => ({
        type: 'in_app',
        completed: n,
        skipped: 12 - n,
        failed: 0,
        messages: n,
      });
      const all = [expected, sent(inA.length), sent(inA.length), sent(12 - inA.length)];
      expect(await figuresOf(identifier)).toMatchObject(all);
      expect(await figuresOf(_id)).toMatchObject(all);
      expect(dataOf(await session.get(`/v1/activity/steps?workflow=${_id}`).expect(200))).toMatchObject({
        isComplete: true,
      });
      const plain = await createWorkflow(session, [inApp('x')]);
      const [untouched] = await figuresOf(plain.identifier);
      expect(untouched).toMatchObject({ type: 'in_app', completed: 0, skipped: 0, waiting: 0, messages: 0 });
      expect(untouched).not.toHaveProperty('arms');
      await session.get('/v1/activity/steps?workflow=none').expect(404);
      const stranger = await delivery.session();
      await stranger.get(`/v1/activity/steps?workflow=${_id}`).expect(404);
    });
  });

  describe('GET /v1/activity/steps?version=', () => {
    it('should count what notifications of one version became, by the steps that it has', async () => {
      const { _id, identifier } = await createWorkflow(session, [inApp('Old'), inApp('Gone')]);
      const run = async (...people: string[]): Promise<void> => {
        for (const id of people) await trigger(session, { name: identifier, to: { subscriberId: id } });
        await delivery.drain(600_000);
      };
      await run('v-a', 'v-b', 'v-c');
      const [kept = {}] = dataOf<{ steps: Json[] }>(await session.get(`/v1/workflows/${_id}`).expect(200)).steps;
      const edit = (content: string): Json => ({ ...kept, template: { type: 'in_app', content } });
      await session.put(`/v1/workflows/${_id}`, { steps: [edit('New'), inApp('Added')] }).expect(200);
      await run('v-a', 'v-d');
      const message = (await feedOf(session, 'v-d')).find(({ content }) => content === 'Added');
      const mark = { messageId: message?._id, markAs: 'read' };
      await session.post('/v1/subscribers/v-d/messages/mark-as', mark).expect(201);
      const figuresOf = async (query: string): Promise<Json> =>
        dataOf<Json>(await session.get(`/v1/activity/steps?workflow=${identifier}${query}`).expect(200));
      const counts = (messages: number, read = 0): Json => ({ completed: messages, messages, read, failed: 0 });
      const { uuid } = kept;
      const first = await figuresOf('&version=0');
      expect(first).toMatchObject({ version: 0, isComplete: true, steps: [{ uuid, ...counts(3) }, counts(3)] });
      const second = await figuresOf('&version=1');
      expect(second).toMatchObject({ version: 1, steps: [{ uuid, ...counts(2) }, counts(2, 1)] });
      const all = await figuresOf('');
      expect(all).toMatchObject({ steps: [{ uuid, ...counts(5) }, counts(2, 1)] });
      expect(all).not.toHaveProperty('version');
    });

    it('should refuse versions that are none, and tell apart those without notifications', async () => {
      const { _id, identifier } = await createWorkflow(session, [inApp('x')]);
      const path = `/v1/activity/steps?workflow=${identifier}&version=`;
      const { steps } = dataOf<{ steps: Json[] }>(await session.get(`${path}0`).expect(200));
      expect(steps).toMatchObject([{ completed: 0, messages: 0 }]);
      const { body } = await session.get(`${path}7`).expect(404);
      expect(body).toMatchObject({ code: 'workflow_version_not_found' });
      for (const wrong of ['-1', 'x', '1.5', '']) await session.get(`${path}${wrong}`).expect(wrong === '' ? 200 : 400);
      const stranger = await delivery.session();
      await stranger.get(`/v1/activity/steps?workflow=${_id}&version=0`).expect(404);
    });
  });

  describe('what is refused', () => {
    const A = { name: 'A', share: 50 };
    const deep = Array.from({ length: 6 }, (_, n) =>
      branch(`b${n}`, ['pro'], n === 0 ? {} : within(`b${n - 1}`, 'else')),
    );

    it.each<[string, SentStep[], string]>([
      [
        'an arm of no step',
        [inApp('x', within('plan', 'pro'))],
        'steps.0.branch.step must be the stepId or uuid of an earlier step of the type branch or split',
      ],
      [
        'an arm of a later step',
        [inApp('x', within('plan', 'pro')), branch('plan', ['pro'])],
        'steps.0.branch.step must be the stepId or uuid of an earlier step of the type branch or split',
      ],
      [
        'an arm of a step that has none',
        [inApp('x', { stepId: 'plan' }), inApp('x', within('plan', 'pro'))],
        'steps.1.branch.step must be the stepId or uuid of an earlier step of the type branch or split',
      ],
      [
        'an unknown arm',
        [branch('plan', ['pro', 'trial']), inApp('x', within('plan', 'free'))],
        'steps.1.branch.arm must be one of pro, trial, else',
      ],
      [
        'two arms of one name',
        [branch('plan', ['pro', 'pro'])],
        'steps.0 must have arms with different names: pro, pro, else',
      ],
      ['a second else', [branch('plan', ['else'])], 'steps.0 must have arms with different names: else, else'],
      ['an arm without a name', [branch('plan', [''])], 'steps.0 must have arms with names'],
      [
        'too many arms within arms',
        [...deep, inApp('x', within('b5', 'else'))],
        'steps.5.branch must not be deeper than 5 arms',
      ],
      [
        'a split without arms',
        [split('test', {})],
        'steps.0.metadata.arms must be an array of objects with name and share',
      ],
      [
        'one arm',
        [split('test', { arms: [{ name: 'A', share: 100 }] })],
        'steps.0.metadata.arms must have at least two arms',
      ],
      [
        'other shares',
        [split('test', { arms: [A, { name: 'B', share: 40 }] })],
        'steps.0.metadata.arms must have shares that come to 100; these come to 90',
      ],
      [
        'an unknown winner',
        [split('test', { arms: [A, { name: 'B', share: 50 }], winner: 'C' })],
        'steps.0.metadata.winner must be the name of an arm: A, B',
      ],
    ])('should be %s', async (_case, steps, fault) => {
      const body = { name: 'Refused', active: true, steps };
      expect(faultsOf(await session.post('/v1/workflows', body).expect(400))).toContain(fault);
    });
  });
});
