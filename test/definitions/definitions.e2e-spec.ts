import type { TestSession } from '../harness/index.js';
import { codeOf, dataOf, faultsOf, type Json, pageOf } from '../support/answers.js';
import { createWorkflow, generalGroupId, stepFactory, workflowPath } from '../factories/workflow.factory.js';
import { useSession, useHerald } from '../support/herald.js';

const api = useHerald();
const session = useSession(api);

interface Change {
  readonly outcome: string;
  readonly before: Json | null;
  readonly after: Json;
  readonly missing: Json[];
}

interface Place {
  readonly path: string;
  readonly body: Json;
}

const MAIL = { type: 'email', subject: 'Order {{number}}', contentType: 'customHtml', content: '<p>Hello</p>' };
const workflowDefinition = (more: Json = {}): Json => ({
  identifier: 'order-shipped',
  name: 'Order shipped',
  notificationGroup: 'General',
  active: true,
  steps: [{ template: { type: 'in_app', content: 'Hello {{name}}' } }],
  ...more,
});
const layoutDefinition = (more: Json = {}): Json => ({
  identifier: 'company',
  name: 'Company',
  content: '<html>{{{body}}}</html>',
  ...more,
});
const at = (kind: string, body: Json, ...names: string[]): Place => ({
  path: `/v1/definitions/${[kind, ...names.map(encodeURIComponent)].join('/')}`,
  body,
});
const workflowAt = (more: Json = {}): Place => {
  const body = workflowDefinition(more);
  return at('workflows', body, body['identifier'] as string);
};
const layoutAt = (more: Json = {}): Place => {
  const body = layoutDefinition(more);
  return at('layouts', body, body['identifier'] as string);
};
const translationAt = (more: Json = {}): Place =>
  at('translations', { locale: 'de', messages: { 'order.ready': 'Bereit' }, ...more }, 'de');
const feedAt = (name = 'Activities'): Place => at('feeds', { name }, name);
const groupAt = (more: Json = { description: 'Invoices' }): Place =>
  at('notification-groups', { name: 'Billing', ...more }, 'Billing');
const overrideAt = (more: Json = {}): Place =>
  at('workflow-overrides', { workflow: 'order-shipped', tenant: 'acme', ...more }, 'order-shipped', 'acme');

const define = ({ path, body }: Place, of: TestSession = session): Promise<Change> =>
  dataOf<Change>(of.put(path, body), 200);
const dryRun = ({ path, body }: Place): Promise<Change> =>
  dataOf<Change>(session.put(`${path}?dryRun=true`, body), 200);
const storedWorkflow = (): Promise<Json> => dataOf(session.get('/v1/workflows/order-shipped'), 200);

const kinds: [kind: string, place: () => Place, changed: () => Place | undefined, stored: () => Promise<Json[]>][] = [
  ['workflows', workflowAt, () => workflowAt({ name: 'Other' }), () => dataOf(session.get('/v1/workflows'), 200)],
  ['layouts', layoutAt, () => layoutAt({ name: 'Other' }), () => dataOf(session.get('/v1/layouts'), 200)],
  [
    'translations',
    translationAt,
    () => translationAt({ messages: { 'order.ready': 'Fertig' } }),
    () => dataOf(session.get('/v1/translations'), 200),
  ],
  ['feeds', feedAt, () => undefined, () => dataOf(session.get('/v1/feeds'), 200)],
  [
    'notification-groups',
    groupAt,
    () => groupAt({ order: 3 }),
    () => dataOf(session.get('/v1/notification-groups'), 200),
  ],
  [
    'workflow-overrides',
    overrideAt,
    () => overrideAt({ active: false }),
    () => dataOf(session.get('/v1/workflow-overrides'), 200),
  ],
];

describe.each(kinds)('PUT /v1/definitions/%s', (kind, place, changed, stored) => {
  beforeEach(async () => {
    await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme' }).expect(201);
    if (kind === 'workflow-overrides') await define(workflowAt());
  });

  it('should create, and change nothing the second time', async () => {
    const before = await stored();
    expect(await define(place())).toMatchObject({ outcome: 'created', before: null, missing: [] });
    const first = await stored();
    expect(first).toHaveLength(before.length + 1);
    expect(await define(place())).toMatchObject({ outcome: 'unchanged' });
    expect(await stored()).toEqual(first);
  });

  it('should update what differs, with the former definition', async () => {
    const { after } = await define(place());
    const other = changed();
    if (other === undefined) return;
    const change = await define(other);
    expect(change).toMatchObject({ outcome: 'updated', before: after });
    expect(await define(other)).toMatchObject({ outcome: 'unchanged', after: change.after });
  });

  it('should store nothing in a dry run', async () => {
    const before = await stored();
    expect(await dryRun(place())).toMatchObject({ outcome: 'created', before: null });
    expect(await stored()).toEqual(before);
    const { after } = await define(place());
    expect(await dryRun(place())).toMatchObject({ outcome: 'unchanged', before: after, after });
  });

  it('should make one record of many parallel calls', async () => {
    const before = await stored();
    await Promise.all(Array.from({ length: 8 }, () => define(place())));
    expect(await stored()).toHaveLength(before.length + 1);
  });

  it('should refuse a body that names another record than the path', async () => {
    const { path, body } = place();
    const fields: Readonly<Record<string, string>> = {
      feeds: 'name',
      'notification-groups': 'name',
      translations: 'locale',
      'workflow-overrides': 'tenant',
    };
    const field = fields[kind] ?? 'identifier';
    expect(await faultsOf(session.put(path, { ...body, [field]: 'another' }))).toEqual([
      expect.stringMatching(new RegExp(`^${field} must be '`)),
    ]);
  });

  it('should refuse another dryRun than true and false', async () => {
    const { path, body } = place();
    expect(await faultsOf(session.put(`${path}?dryRun=yes`, body))).toEqual(['dryRun must be a boolean value']);
  });

  it('should not reach into another environment', async () => {
    const [development, production] = await api.siblings();
    for (const each of [development, production]) {
      if (kind !== 'workflow-overrides') {
        expect(await define(place(), each)).toMatchObject({ outcome: 'created' });
        continue;
      }
      await each.post('/v1/tenants', { identifier: 'acme', name: 'Acme' }).expect(201);
      await define(workflowAt(), each);
      expect(await define(place(), each)).toMatchObject({ outcome: 'created' });
    }
  });
});

describe('PUT /v1/definitions/workflows/{workflowIdentifier}', () => {
  it('should refer to group, feed and layout by name, and keep the ids of steps', async () => {
    await define(groupAt());
    await define(feedAt());
    await define(layoutAt());
    const steps = [
      { template: { type: 'in_app', content: 'a', feed: 'Activities' } },
      { template: { ...MAIL, layout: 'company' } },
    ];
    await define(workflowAt({ notificationGroup: 'Billing', steps }));
    const before = await storedWorkflow();
    expect(before).toMatchObject({
      notificationGroup: { name: 'Billing' },
      active: true,
      draft: false,
      steps: [
        { uuid: 'in_app-1', template: { _feedId: expect.any(String) as string } },
        { uuid: 'email-1', template: { _layoutId: expect.any(String) as string } },
      ],
    });
    const reversed = [steps[1], { ...steps[0], template: { type: 'in_app', content: 'b' } }];
    expect(await define(workflowAt({ notificationGroup: 'Billing', steps: reversed }))).toMatchObject({
      outcome: 'updated',
    });
    const after = await storedWorkflow();
    const idsOf = (workflow: Json): unknown[] => (workflow['steps'] as Json[]).map(({ _id }) => _id);
    expect(idsOf(after)).toEqual(idsOf(before).reverse());
    expect(after).toMatchObject({ steps: [{}, { template: { content: 'b', _feedId: null } }] });
  });

  it('should refuse what the environment does not have, and list it in a dry run', async () => {
    const steps = [
      { template: { ...MAIL, layout: 'nowhere' } },
      { template: { type: 'in_app', content: 'a', feed: 'No' } },
    ];
    const place = workflowAt({ notificationGroup: 'None', steps });
    expect(await faultsOf(session.put(place.path, place.body))).toEqual([
      'notificationGroup must be the name of a notification group of this environment',
      'steps.0.template.layout must be the identifier of a layout of this environment',
      'steps.1.template.feed must be the identifier of a feed of this environment',
    ]);
    const change = await dryRun(place);
    expect(change.missing).toEqual([
      { kind: 'notification-group', name: 'None', path: 'notificationGroup' },
      { kind: 'layout', name: 'nowhere', path: 'steps.0.template.layout' },
      { kind: 'feed', name: 'No', path: 'steps.1.template.feed' },
    ]);
    expect(change.after).toMatchObject({ notificationGroup: 'None', steps });
  });

  it('should reset what is absent, and keep the workflow and its version otherwise', async () => {
    const full = {
      description: 'Tells the customer',
      critical: true,
      severity: 'high',
      tags: ['orders'],
      preferenceSettings: { sms: false },
      data: { team: 'shop' },
      steps: [{ stepId: 'mail', template: { ...MAIL, preheader: 'Soon' } }],
    };
    expect((await define(workflowAt(full))).after).toEqual(workflowDefinition(full));
    const { _id, __v } = await storedWorkflow();
    const bare = workflowAt({ steps: [{ stepId: 'mail', template: MAIL }] });
    expect((await define(bare)).after).toEqual(bare.body);
    const after = await storedWorkflow();
    expect(after).toMatchObject({ _id, __v: Number(__v) + 1, critical: false, tags: [] });
    expect(after).not.toHaveProperty('description');
  });

  it('should take over a workflow of POST, whose steps have generated names', async () => {
    const created = await createWorkflow(session, { active: true });
    const { data } = await pageOf<{ id: string; definition: Json }>(session.get('/v1/definitions/workflows'));
    expect(data).toMatchObject([{ id: created['_id'], definition: { identifier: 'order-shipped' } }]);
    const [shown] = data;
    const place = at('workflows', shown?.definition ?? {}, 'order-shipped');
    expect(await define(place)).toMatchObject({ outcome: 'unchanged' });
    expect(await dataOf(session.get(workflowPath(created)), 200)).toEqual(created);
  });

  it.each([
    ['an id as identifier', { identifier: '64f0c1a2b3c4d5e6f7a8b9c0' }, 'identifier must not have the form of an id'],
    ['a reserved identifier', { identifier: 'variables' }, "identifier must not be 'variables'"],
    ['no group', { notificationGroup: null }, 'notificationGroup must be a string'],
    ['no steps', { steps: null }, 'steps must be an array of steps'],
    ['a step that is none', { steps: ['x'] }, 'steps.0 must be an object'],
    ['a feed by id', { steps: [stepFactory({ feedId: null })] }, 'steps.0.template.feedId must be absent: use feed'],
    [
      'a number as layout',
      { steps: [{ template: { ...MAIL, layout: 1 } }] },
      'steps.0.template.layout must be a string',
    ],
    [
      'a condition on a later step',
      {
        steps: [
          stepFactory({}, { filters: [{ children: [{ on: 'previousStep', step: 'in_app-1', stepType: 'read' }] }] }),
        ],
      },
      'steps.0.filters.0.children.0.step must be the uuid of an earlier step',
    ],
    [
      'equal names of steps',
      { steps: [stepFactory({}, { uuid: 'a' }), stepFactory({}, { uuid: 'a' })] },
      'steps.1.uuid must differ',
    ],
  ])('should refuse %s', async (_case, more, fault) => {
    const { path, body } = workflowAt(more);
    expect(await faultsOf(session.put(path, body))).toContainEqual(expect.stringContaining(fault));
  });

  it('should refuse steps that could only fail with 422', async () => {
    const { path, body } = workflowAt({ steps: [{ template: { type: 'sms' } }] });
    expect(await codeOf(session.put(path, body), 422)).toBe('steps_not_runnable');
  });

  it('should end in one of two definitions that come at once, never in a mixture', async () => {
    const variants = [1, 2, 3, 4].map((number) =>
      workflowAt({
        name: `Version ${number}`,
        description: `Version ${number}`,
        steps: [stepFactory({ content: `Version ${number}` }), { template: { ...MAIL, subject: `Version ${number}` } }],
      }),
    );
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(variants.map((variant) => define(variant)));
      const { data } = await pageOf<{ definition: Json }>(session.get('/v1/definitions/workflows'));
      expect(data).toHaveLength(1);
      expect(new Set(JSON.stringify(data[0]?.definition).match(/Version \d/g)).size).toBe(1);
    }
  });

  it('should not make a typo in PUT /v1/workflows create anything', async () => {
    await session.put('/v1/workflows/64f0c1a2b3c4d5e6f7a8b9c0', { name: 'x' }).expect(404);
  });
});

describe('PUT /v1/definitions/layouts/{layoutIdentifier}', () => {
  const defaults = async (): Promise<unknown[]> =>
    (await dataOf<Json[]>(session.get('/v1/layouts'), 200))
      .filter(({ isDefault }) => isDefault)
      .map(({ identifier }) => identifier);

  it('should make one layout the default, and leave the default as it is otherwise', async () => {
    await define(layoutAt({ isDefault: true }));
    await define(layoutAt({ identifier: 'other' }));
    expect(await defaults()).toEqual(['company']);
    expect(await define(layoutAt({ isDefault: false }))).toMatchObject({ outcome: 'unchanged' });
    await define(layoutAt({ identifier: 'other', isDefault: true }));
    expect(await defaults()).toEqual(['other']);
  });

  it('should have one default after parallel calls', async () => {
    const places = ['a', 'b', 'c', 'd'].map((identifier) => layoutAt({ identifier, isDefault: true }));
    await Promise.all(places.map((place) => define(place)));
    expect(await defaults()).toHaveLength(1);
  });

  it('should refuse content without a body', async () => {
    const { path, body } = layoutAt({ content: 'x' });
    expect(await faultsOf(session.put(path, body))).toEqual([
      expect.stringContaining('content must contain {{{body}}}'),
    ]);
  });
});

describe('PUT /v1/definitions/workflow-overrides/{workflowIdentifier}/{tenantIdentifier}', () => {
  it('should name what is missing', async () => {
    const { path, body } = overrideAt();
    expect(await faultsOf(session.put(path, body))).toEqual([
      "tenant must be the identifier of a tenant of this environment, which has no 'acme': create it with POST /v1/tenants",
    ]);
    await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme' }).expect(201);
    expect(await faultsOf(session.put(path, body))).toEqual([
      'workflow must be the trigger identifier of a workflow of this environment',
    ]);
    expect((await dryRun(overrideAt())).missing).toEqual([
      { kind: 'workflow', name: 'order-shipped', path: 'workflow' },
    ]);
  });

  it('should replace the settings as a whole', async () => {
    await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme' }).expect(201);
    await define(workflowAt());
    await define(overrideAt({ active: false, preferenceSettings: { sms: false } }));
    const { after } = await define(overrideAt({ preferenceSettings: { email: true, chat: null } }));
    expect(after).toEqual({ workflow: 'order-shipped', tenant: 'acme', preferenceSettings: { email: true } });
    const { data } = await pageOf<{ definition: Json }>(session.get('/v1/definitions/workflow-overrides'));
    expect(data.map(({ definition }) => definition)).toEqual([after]);
  });
});

it('should list what it defines', async () => {
  await define(layoutAt({ variables: [] }));
  const { data } = await pageOf<{ definition: Json }>(session.get('/v1/definitions/layouts'));
  expect(data.map(({ definition }) => definition)).toEqual([layoutDefinition()]);
  expect(await generalGroupId(session)).toEqual(expect.any(String));
});
