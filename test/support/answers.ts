import type { Response, Test } from 'supertest';

export type Json = Record<string, unknown>;
type Answer = Pick<Response, 'body'>;

/** The answer of a call that must have this status; otherwise the test fails with what was answered. */
async function answerOf(call: Test, status: number): Promise<Response> {
  const answer = await call;
  if (answer.status !== status) {
    throw new Error(`${call.method} ${call.url}: expected ${status}, got ${answer.status}: ${answer.text}`);
  }
  return answer;
}

/** The `data` of an answer, or of a call whose answer must have this status. */
export function dataOf<T = Json>(call: Test, status: number): Promise<T>;
export function dataOf<T = Json>(answer: Answer): T;
export function dataOf<T>(from: Test | Answer, status?: number): T | Promise<T> {
  return isCall(from) && status !== undefined ? dataAfter(from, status) : dataIn(from as Answer);
}

async function dataAfter<T>(call: Test, status: number): Promise<T> {
  return dataIn(await answerOf(call, status));
}

function dataIn<T>({ body }: Answer): T {
  if (!Object.hasOwn(Object(body), 'data')) throw new Error(`The answer has no data: ${JSON.stringify(body)}`);
  return (body as { data: T }).data;
}

/** A page of a list as the API answers it; a few lists have no total. */
export interface ShownPage<T = Json> {
  readonly data: T[];
  readonly page: number;
  readonly pageSize: number;
  readonly hasMore: boolean;
  readonly totalCount?: number;
}

/** The page that a list answers with. */
export async function pageOf<T = Json>(call: Test): Promise<ShownPage<T>> {
  return (await answerOf(call, 200)).body as ShownPage<T>;
}

/** The faults of a 400, or of a call whose answer must be a 400 of validation. */
export function faultsOf(call: Test): Promise<string[]>;
export function faultsOf(answer: Answer): string[];
export function faultsOf(from: Test | Answer): string[] | Promise<string[]> {
  return isCall(from) ? faultsAfter(from) : faultsIn(from);
}

async function faultsAfter(call: Test): Promise<string[]> {
  const answer = await answerOf(call, 400);
  expect(answer.body).toMatchObject({ error: 'Bad Request', code: 'validation_failed' });
  return faultsIn(answer);
}

/** The fields that faults name, in their order. */
export const fieldsOf = (faults: readonly string[]): string[] => faults.map((fault) => fault.split(' ')[0] ?? '');

const faultsIn = ({ body }: Answer): string[] => (body as { message: string[] }).message;

/** The stable code of an error answer that must have this status. */
export async function codeOf(call: Test, status: number): Promise<string> {
  const { body } = await answerOf(call, status);
  return (body as { code: string }).code;
}

/** What an answer says of input that was ignored. */
export function warningIn({ headers }: { readonly headers?: unknown }): string | undefined {
  return (headers as Readonly<Record<string, string | undefined>> | undefined)?.['herald-warning'];
}

const isCall = (from: Test | Answer): from is Test => 'expect' in from;
