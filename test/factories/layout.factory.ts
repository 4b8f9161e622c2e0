import type { TestSession } from '../harness/index.js';
import { dataOf, type Json } from '../support/answers.js';
import { unique } from './ids.js';

/** A valid body of POST /v1/layouts. */
export function layoutFactory(overrides: Json = {}): Json {
  return {
    name: 'Company layout',
    identifier: unique('layout'),
    content: '<html><body>{{{body}}}</body></html>',
    ...overrides,
  };
}

export async function createLayout(session: TestSession, overrides: Json = {}): Promise<Json> {
  return dataOf(await session.post('/v1/layouts', layoutFactory(overrides)).expect(201));
}

export const layoutPath = ({ _id }: Json): string => `/v1/layouts/${String(_id)}`;
