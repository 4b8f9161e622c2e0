import type { Response } from 'supertest';

export type Json = Record<string, unknown>;

/** The `data` of an answer. */
export function dataOf<T = Json>(response: Pick<Response, 'body'>): T {
  return (response.body as { data: T }).data;
}

/** The faults of a 400. */
export function faultsOf(response: Pick<Response, 'body'>): string[] {
  return (response.body as { message: string[] }).message;
}
