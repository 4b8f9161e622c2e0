import type { TestSession } from '../harness/index.js';
import { dataOf, type Json } from '../support/answers.js';
import { unique } from './ids.js';

/** The group that every environment starts with. */
export async function generalGroupId(session: TestSession): Promise<string> {
  const [group] = dataOf<{ _id: string }[]>(await session.get('/v1/notification-groups').expect(200));
  if (group === undefined) throw new Error('The environment has no group.');
  return group._id;
}

/** A valid step. */
export function stepFactory(template: Json = {}, rest: Json = {}): Json {
  return { name: 'Tell them', template: { type: 'in_app', content: 'Hello {{name}}', ...template }, ...rest };
}

export async function createWorkflow(session: TestSession, overrides: Json = {}): Promise<Json> {
  const notificationGroupId = await generalGroupId(session);
  const body = { name: 'Order shipped', notificationGroupId, steps: [stepFactory()], ...overrides };
  return dataOf(await session.post('/v1/workflows', body).expect(201));
}

export const workflowPath = (workflow: Json): string => `/v1/workflows/${String(workflow['_id'])}`;

/** What an event names the workflow by. */
export function identifierOf(workflow: Json): string {
  const [trigger] = workflow['triggers'] as { identifier: string }[];
  if (trigger === undefined) throw new Error(`The workflow has no trigger: ${JSON.stringify(workflow)}`);
  return trigger.identifier;
}

export const stepsOf = (workflow: Json): Json[] => workflow['steps'] as Json[];

export async function createActiveWorkflow(
  session: TestSession,
  overrides: Json = {},
): Promise<Json & { _id: string }> {
  const [group] = dataOf<{ _id: string }[]>(await session.get('/v1/notification-groups').expect(200));
  const body = {
    name: unique('Order shipped'),
    notificationGroupId: group?._id,
    active: true,
    tags: ['orders'],
    steps: [{ name: 'Tell', template: { type: 'in_app', content: 'Hello' } }],
    ...overrides,
  };
  return dataOf(await session.post('/v1/workflows', body).expect(201));
}
