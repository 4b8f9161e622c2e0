import type { TestSession } from '../harness/index.js';
import { dataOf, type Json } from '../support/answers.js';
import { unique } from './ids.js';

/** A valid body of POST /v1/budgets. */
export function budgetFactory(overrides: Json = {}): Json {
  return { name: unique('budget'), max: 3, ...overrides };
}

export function createBudget(session: TestSession, overrides: Json = {}): Promise<Json> {
  return dataOf(session.post('/v1/budgets', budgetFactory(overrides)), 201);
}

export const budgetPath = ({ _id }: Json): string => `/v1/budgets/${String(_id)}`;
