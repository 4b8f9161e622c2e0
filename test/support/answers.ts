import type { Response, Test } from 'supertest';

export type Json = Record<string, unknown>;
type Answer = Pick<Response, 'body'>;

/** The `data` of an answer, or of a call whose answer must have this status. */
export function dataOf<T = Json>(call: Test, status: number): Promise<T>;
export function dataOf<T = Json>(answer: Answer): T;
export function dataOf<T>(from: Test | Answer, status?: number): T | Promise<T> {
  const read = ({ body }: Answer): T => (body as { data: T }).data;
  return isCall(from) && status !== undefined ? from.expect(status).then(read) : read(from as Answer);
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
  return (await call.expect(200)).body as ShownPage<T>;
}

/** The faults of a 400, or of a call whose answer must be a 400 of validation. */
export function faultsOf(call: Test): Promise<string[]>;
export function faultsOf(answer: Answer): string[];
export function faultsOf(from: Test | Answer): string[] | Promise<string[]> {
  const read = ({ body }: Answer): string[] => (body as { message: string[] }).message;
  if (!isCall(from)) return read(from);
  return from.expect(400).then(({ body }) => {
    expect(body).toMatchObject({ error: 'Bad Request', code: 'validation_failed' });
    return read({ body });
  });
}

/** The stable code of an error answer that must have this status. */
export async function codeOf(call: Test, status: number): Promise<string> {
  const { body } = await call.expect(status);
  return (body as { code: string }).code;
}

/** What an answer says of input that was ignored. */
export function warningIn({ headers }: { readonly headers?: unknown }): string | undefined {
  return (headers as Readonly<Record<string, string | undefined>> | undefined)?.['herald-warning'];
}

const isCall = (from: Test | Answer): from is Test => 'expect' in from;
