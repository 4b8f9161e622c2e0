import type { Test } from 'supertest';

export type Json = Record<string, unknown>;

/** The `data` of an answer that must have this status. */
export async function dataOf<T = Json>(test: Test, status: number): Promise<T> {
  const { body } = await test.expect(status);
  return (body as { data: T }).data;
}

/** The faults of an answer that must be a 400 of validation. */
export async function faultsOf(test: Test): Promise<string[]> {
  const { body } = await test.expect(400);
  expect(body).toMatchObject({ error: 'Bad Request', code: 'validation_failed' });
  return (body as { message: string[] }).message;
}

/** The stable code of an error answer that must have this status. */
export async function codeOf(test: Test, status: number): Promise<string> {
  const { body } = await test.expect(status);
  return (body as { code: string }).code;
}
