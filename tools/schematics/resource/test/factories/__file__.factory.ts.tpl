import type { TestSession } from '../harness/index.js';
import { dataOf, type Json } from '../support/answers.js';
import { unique } from './ids.js';

/** A valid body of POST /v1/__files__. */
export function __name__Factory(overrides: Json = {}): Json {
  return { name: unique('__text__'), ...overrides };
}

export function create__Name__(session: TestSession, overrides: Json = {}): Promise<Json> {
  return dataOf(session.post('/v1/__files__', __name__Factory(overrides)), 201);
}

export const __name__Path = ({ _id }: Json): string => `/v1/__files__/${String(_id)}`;
