import { AnswerSchemas } from '../support/answer-schema.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { fill, isForSubscribers, operationsOf, readDocument, resolve } from '../support/routes.js';
import type { Json } from '../support/answers.js';
import { exampleOf } from '../../tools/openapi-example.mjs';
import { PROFILE } from './nulls/bodies.js';
import { BROWSER_CASES } from './nulls/browser-cases.js';
import type { ChangeCase, NewCase } from './nulls/cases.js';
import { EVENT_CASES } from './nulls/event-cases.js';
import { findingsOf } from './nulls/findings.js';
import { MANAGEMENT_CASES } from './nulls/management-cases.js';
import { isFree, nullsIn } from './nulls/null-paths.js';
import { V2_CASES } from './nulls/v2-cases.js';
import { WORKFLOW_CASES } from './nulls/workflow-cases.js';
import { type Caller, createWorld, type World } from './nulls/world.js';

const CASES: Readonly<Record<string, NewCase | ChangeCase>> = {
  ...MANAGEMENT_CASES,
  ...EVENT_CASES,
  ...WORKFLOW_CASES,
  ...BROWSER_CASES,
  ...V2_CASES,
};

/** Operations with fields that may be absent, without a case. */
const UNCOVERED: Readonly<Record<string, string>> = {
  'POST /v1/provider-callbacks/{integrationId}': 'the body is that of a provider',
  'POST /v1/testing/clock': 'is there with TEST_CLOCK only: test/testing sends null',
  'POST /v1/workflows/{workflowId}/impact':
    'takes the body of PUT /v1/workflows/{workflowId}: test/previews sends null',
  'POST /v1/subscribers/{subscriberId}/chat-links': 'calls a provider: test/subscribers sends null',
  'POST /v1/notifications/{notificationId}/replay': 'needs failures: test/delivery sends null',
  'POST /v1/notifications/{notificationId}/jobs/{jobId}/replay': 'needs failures: test/delivery sends null',
};

/** Stored nulls with a meaning. */
const STORED: Readonly<Record<string, string>> = {
  'auditEntries.changes.*.after': 'was removed',
  'auditEntries.changes.*.before': 'was not there',
  'preferences._templateId': 'of all workflows',
  ...Object.fromEntries(
    Object.keys(PROFILE).flatMap((name) => [
      [`triggerEvents.recipients.list.*.${name}`, 'is removed'],
      [`triggerEvents.actor.${name}`, 'is removed'],
    ]),
  ),
};

const document = readDocument();
const schemas = new AnswerSchemas(document);
const operations = operationsOf(document)
  .filter(({ operation }) => operation.requestBody !== undefined)
  .map(({ method, path, operation }) => {
    const schema = resolve(document, operation.requestBody?.content['application/json']?.schema);
    return { method, path, schema, name: `${method} ${path}` };
  });

const delivery = useDeliveryApi('nulls');
let world: World;
beforeAll(async () => {
  world = await createWorld(delivery.api);
});

/** An operation is there once for each of its cases. */
const operationOf = (name: string): (typeof operations)[number] => {
  const found = operations.find((one) => one.name === name.replace(/ \(.*/, ''));
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
};

const callerOf = (path: string): Caller => {
  if (isForSubscribers(path)) return 'subscriber';
  return path.startsWith('/v1/users/me') ? 'person' : 'key';
};

describe('null for an optional field', () => {
  it.each(Object.entries(CASES))('should be what is not given, or unset it: %s', async (name, one) => {
    const examined = { world, document, schemas, drain: () => delivery.drain() };
    expect(await findingsOf(examined, operationOf(name), one)).toEqual([]);
  });

  it('should be stored nowhere', async () => {
    const stored = new Set<string>();
    for (const name of await delivery.collections()) {
      const nulls = (await delivery.rows(name)).flatMap((row) => nullsIn(row));
      for (const path of nulls) if (!isFree(path)) stored.add(`${name}.${path}`);
    }
    expect([...stored].filter((path) => !(path in STORED))).toEqual([]);
  });

  it('should be looked at in each operation', () => {
    const withOptional = operations.filter(({ schema }) =>
      Object.keys(schema.properties ?? {}).some((name) => schema.required?.includes(name) !== true),
    );
    const known = new Set([...Object.keys(CASES), ...Object.keys(UNCOVERED)]);
    expect(withOptional.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
    expect(Object.keys(UNCOVERED).filter((name) => name in CASES)).toEqual([]);
  });
});

describe('null in a free-form object, or with a meaning of its own', () => {
  const FREE = { none: null, list: [null, { none: null }], '': { none: null } };

  it('should stay', async () => {
    const { name, make, workflow } = world;
    const template = { type: 'in_app', content: 'Hi', free: FREE };
    const made = [
      await make('POST', '/v1/subscribers', { subscriberId: name(), data: FREE }),
      await make('POST', '/v1/tenants', { identifier: name(), name: 'A', data: FREE }),
      await make('POST', '/v1/workflows', { name: name(), data: FREE, steps: [{ template }] }),
    ];
    expect(made.map(({ data }) => data)).toEqual([FREE, FREE, FREE]);
    expect(made[2]?.['steps']).toMatchObject([{ template: { free: FREE } }]);
    const schedule = { workflow: workflow.identifier, subscribers: [world.subscriberId], payload: FREE };
    const rule = { frequency: 'daily' };
    expect(await make('POST', '/v1/schedules', { ...schedule, rule })).toMatchObject({ payload: FREE });
  });

  it('should stay a value to compare with', async () => {
    const compared = { on: 'payload', field: 'a', operator: 'EQUAL', value: null };
    const filters = [{ value: 'AND', children: [compared] }];
    const steps = [{ template: { type: 'in_app', content: 'Hi' }, filters }];
    const made = await world.make('POST', '/v1/workflows', { name: world.name(), steps });
    expect(made['steps']).toMatchObject([{ filters }]);
  });

  it('should reach the templates of an event, and its providers', async () => {
    const overrides = { fcm: FREE, email: { own: null } };
    const event = { name: world.workflow.identifier, to: world.subscriberId, payload: FREE, overrides };
    const { transactionId } = await world.make('POST', '/v1/events/trigger', event);
    await delivery.drain();
    const { body } = await world.send('key', 'GET', `/v1/messages?transactionId=${String(transactionId)}`);
    expect(body?.['data']).toMatchObject([{ payload: FREE, overrides }]);
  });
});

describe('null for a required field', () => {
  it.each(operations.filter(({ schema }) => schema.required !== undefined).map((one) => [one.name, one] as const))(
    'should be refused: %s',
    async (name, { method, path, schema }) => {
      const one = CASES[name];
      const example = exampleOf(document, schema) as Json;
      for (const field of schema.required ?? []) {
        const body = { ...(one === undefined || 'record' in one ? example : await one.body(world)), [field]: null };
        const { by = callerOf(path), path: pathOf } = one ?? {};
        const answer = await world.send(by, method, pathOf?.(world, body) ?? fill(path), body);
        expect({ field, status: answer.status, told: String(answer.body?.['message']) }).toEqual({
          field,
          status: 400,
          told: expect.stringContaining(field) as string,
        });
      }
    },
  );
});
