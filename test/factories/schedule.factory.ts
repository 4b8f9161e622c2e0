import type { TestSession } from '../harness/index.js';
import { dataOf, type Json } from '../support/answers.js';
import { createWorkflow, inApp } from '../support/delivery.js';

/** A schedule of a workflow of its own. */
export async function createSchedule(session: TestSession, overrides: Json = {}): Promise<Json> {
  const workflow = overrides['workflow'] ?? (await createWorkflow(session, [inApp('Hello')])).identifier;
  const body = { subscribers: ['ada'], rule: { frequency: 'daily', hour: 9 }, ...overrides, workflow };
  return dataOf(session.post('/v1/schedules', body), 201);
}

export const schedulePath = ({ _id }: Json): string => `/v1/schedules/${String(_id)}`;
