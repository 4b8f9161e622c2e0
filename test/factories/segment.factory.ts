import type { TestSession } from '../harness/index.js';
import { dataOf, type Json } from '../support/answers.js';
import { unique } from './ids.js';

/** One condition on what is stored with a subscriber. */
export const where = (field: string, operator: string, value?: unknown): Json[] => [
  { children: [{ on: 'subscriber', field, operator, ...(value !== undefined && { value }) }] },
];

/** A valid body of POST /v1/segments. */
export function segmentFactory(overrides: Json = {}): Json {
  return {
    segmentId: unique('segment'),
    name: 'People on trial',
    conditions: where('data.plan', 'EQUAL', 'trial'),
    ...overrides,
  };
}

export async function createSegment(session: TestSession, overrides: Json = {}): Promise<Json> {
  return dataOf(await session.post('/v1/segments', segmentFactory(overrides)).expect(201));
}
