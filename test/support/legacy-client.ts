import { Novu } from '@novu/node';
import type { TestApi, TestSession } from '../harness/index.js';
import { warningIn } from './answers.js';

/** What the client hands back: an answer of axios. */
export interface ClientAnswer {
  readonly status: number;
  readonly data: unknown;
  readonly headers?: unknown;
}

let Client = Novu;
/** What the version of the client in use passes on. */
export const clientPasses = { includeInactiveChannels: true };

/** Lets the suites that a file loads after this call run with another version of the client. */
export function runWithClient(other: typeof Novu, passes: typeof clientPasses): void {
  const former = [Client, { ...clientPasses }] as const;
  const use = (client: typeof Novu, itPasses: typeof clientPasses): void => {
    Client = client;
    Object.assign(clientPasses, itPasses);
  };
  use(other, passes);
  afterAll(() => use(...former));
}

/** The published client as a user makes it: a key and the base address, nothing else. */
export function legacyClient(api: TestApi, { apiKey }: Pick<TestSession, 'apiKey'>): Novu {
  return new Client(apiKey, { backendUrl: api.url });
}

/** The `data` of an answer that must have this status, and name nothing that the client sent in vain. */
export async function resultOf<T>(call: Promise<ClientAnswer>, status = 200): Promise<T> {
  const answer = await call;
  expect(answer.status).toBe(status);
  expect(warningIn(answer)).toBeUndefined();
  return (answer.data as { data: T }).data;
}

/** The page of a list: the rows and what stands beside them. */
export async function pageOf<T>(call: Promise<ClientAnswer>): Promise<ClientPage<T>> {
  const answer = await call;
  expect(answer.status).toBe(200);
  expect(warningIn(answer)).toBeUndefined();
  return answer.data as ClientPage<T>;
}

export interface ClientPage<T> {
  data: T[];
  page: number;
  pageSize: number;
  hasMore: boolean;
  totalCount?: number;
}

/** What the client throws where the server refuses: an error that carries the answer. */
export async function refusalOf(call: Promise<ClientAnswer>): Promise<Refusal> {
  const outcome = await call.then(
    ({ status }) => new Error(`The call succeeded with status ${status}.`),
    (error: unknown) => error,
  );
  if (!isRefusal(outcome)) throw outcome;
  return { ...(outcome.response.data as Omit<Refusal, 'status'>), status: outcome.response.status };
}

export interface Refusal {
  status: number;
  message: string | string[];
  code: string;
}

function isRefusal(error: unknown): error is { response: ClientAnswer } {
  return typeof error === 'object' && error !== null && 'response' in error && error.response !== undefined;
}

/** A record as lists and single answers show it. */
export interface Shown {
  _id: string;
  [field: string]: unknown;
}
