import type { TestSession } from '../harness/index.js';
import { dataOf, type Json } from '../support/answers.js';
import { unique } from './ids.js';
import { subscriberFactory } from './subscriber.factory.js';

/** A valid body of POST /v1/topics. */
export function topicFactory(overrides: Json = {}): Json {
  return { key: unique('topic'), name: 'Watchers', ...overrides };
}

export async function createTopic(session: TestSession, overrides: Json = {}): Promise<Json> {
  return dataOf(await session.post('/v1/topics', topicFactory(overrides)).expect(201));
}

export const topicPath = ({ key }: Json): string => `/v1/topics/${encodeURIComponent(String(key))}`;

/** Makes subscribers and returns their ids. */
export async function createSubscribers(session: TestSession, count: number): Promise<string[]> {
  const subscribers = Array.from({ length: count }, () => subscriberFactory());
  await session.post('/v1/subscribers/bulk', { subscribers }).expect(201);
  return subscribers.map(({ subscriberId }) => subscriberId);
}
