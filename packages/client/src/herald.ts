import { addressOf } from './address.js';
import { HeraldError } from './errors.js';
import { OPERATIONS } from './operations.js';
import { rowsOf } from './paging.js';
import { DEFAULT_POLICY, type RetryPolicy } from './retry.js';
import { withTransactionId } from './transaction-ids.js';
import { Transport } from './transport.js';
import type {
  Answer,
  Arguments,
  CallOptions,
  GroupedCalls,
  ListPath,
  Method,
  Operation,
  PathOf,
  Row,
  Schemas,
} from './types.js';

const TIMEOUT_MS = 30_000;
const WAIT_MS = 60_000;
/** Each request of a wait is as long at most, and half as long as an attempt may take. */
const MAX_WAIT_MS = 20_000;
const MIN_INTERVAL_MS = 500;

export interface HeraldOptions {
  /** Address of Herald, such as `https://herald.example.com`. */
  readonly baseUrl: string;
  /** Key of an environment. Leave it out in browsers and send a `sessionToken`. */
  readonly apiKey?: string;
  /** Token of a subscriber, for the routes of widgets and the Inbox. */
  readonly sessionToken?: string;
  readonly retries?: Partial<RetryPolicy>;
  /** Headers of every request, such as those that a proxy wants. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Limit of each attempt, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Another `fetch`, for proxies or tests. */
  readonly fetch?: typeof fetch;
}

export type EventState = Schemas['EventResponse'];

export interface WaitOptions {
  /** Default: 60,000. */
  readonly timeoutMs?: number;
}

/**
 * Waits until everything that an event causes is done.
 * @returns its state, with the outcome of each step
 * @throws {HeraldError} if it has not ended in time; it goes on
 * @throws {HeraldApiError} if there is no such event
 */
export type WaitFor = (transactionId: string, options?: WaitOptions) => Promise<EventState>;

/** The parts of options that the generic code reads. */
type AnyOptions = CallOptions & { readonly path?: object; readonly query?: object; readonly body?: unknown };

class HeraldClient {
  private readonly transport: Transport;

  constructor(private readonly settings: HeraldOptions) {
    if ((settings.apiKey === undefined) === (settings.sessionToken === undefined)) {
      throw new HeraldError('Give either apiKey or sessionToken.');
    }
    this.transport = new Transport({
      fetch: settings.fetch ?? ((input, init) => fetch(input, init)),
      policy: { ...DEFAULT_POLICY, ...settings.retries },
      timeoutMs: settings.timeoutMs ?? TIMEOUT_MS,
    });
    Object.assign(this, this.groups());
  }

  /**
   * Sends a request.
   * @returns the body, with its envelope
   * @throws {HeraldApiError} if Herald refuses it
   * @throws {HeraldConnectionError} if no response comes
   */
  request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...[options]: Arguments<Operation<M, P>>
  ): Promise<Answer<Operation<M, P>>> {
    return this.send(method, path, (options ?? {}) as AnyOptions) as Promise<Answer<Operation<M, P>>>;
  }

  /**
   * The rows of a list, read page by page: `for await (const subscriber of herald.list('/v1/subscribers'))`.
   * @param options.query filters, and `limit` for the size of pages
   */
  list<P extends ListPath>(path: P, ...[options]: Arguments<Operation<'GET', P>>): AsyncGenerator<Row<P>> {
    const { query = {}, ...rest } = (options ?? {}) as AnyOptions;
    return rowsOf({ ...query }, (page) => this.send('GET', path, { ...rest, query: page })) as AsyncGenerator<Row<P>>;
  }

  private send(method: Method, path: string, options: AnyOptions): Promise<unknown> {
    const { path: values, query, body, headers, idempotencyKey, ...limits } = options;
    const key = this.acceptsKey(method) ? (idempotencyKey ?? this.newKey(limits)) : undefined;
    const sent = key === undefined ? body : withTransactionId(path, body, key);
    return this.transport.send({
      method,
      url: addressOf(this.settings.baseUrl, path, values, query),
      headers: {
        accept: 'application/json',
        ...this.authorization(),
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...this.settings.headers,
        ...headers,
      },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
      ...limits,
    });
  }

  /** Herald accepts the header with every POST and PATCH that has an API key. */
  private acceptsKey(method: Method): boolean {
    return this.settings.apiKey !== undefined && (method === 'POST' || method === 'PATCH');
  }

  /** A request that is not repeated needs no key. */
  private newKey({ maxAttempts }: CallOptions): string | undefined {
    const attempts = maxAttempts ?? this.settings.retries?.maxAttempts ?? DEFAULT_POLICY.maxAttempts;
    return attempts > 1 ? crypto.randomUUID() : undefined;
  }

  private authorization(): Record<string, string> {
    const { apiKey, sessionToken = '' } = this.settings;
    return { authorization: apiKey === undefined ? `Bearer ${sessionToken}` : `ApiKey ${apiKey}` };
  }

  private groups(): GroupedCalls {
    const call = (route: string) => {
      const [method = 'GET', path = ''] = route.split(' ') as [Method, string];
      return async (options: AnyOptions = {}) => unwrapped(await this.send(method, path, options));
    };
    const groupOf = (routes: Readonly<Record<string, string>>) => mapValues(routes, call);
    const groups = mapValues(OPERATIONS, groupOf);
    const waitFor: WaitFor = (transactionId, options) => this.waitFor(transactionId, options);
    return { ...groups, events: { ...groups['events'], waitFor } } as unknown as GroupedCalls;
  }

  private async waitFor(transactionId: string, { timeoutMs = WAIT_MS }: WaitOptions = {}): Promise<EventState> {
    const end = Date.now() + timeoutMs;
    const maxSeconds = Math.floor(Math.min(MAX_WAIT_MS, (this.settings.timeoutMs ?? TIMEOUT_MS) / 2) / 1_000);
    for (;;) {
      const leftMs = Math.max(0, end - Date.now());
      const wait = Math.min(maxSeconds, Math.ceil(leftMs / 1_000));
      const asked = Date.now();
      const { data } = await this.request('GET', '/v1/events/trigger/{transactionId}', {
        path: { transactionId },
        query: { wait },
      });
      if (data.ended) return data;
      if (Date.now() >= end) {
        throw new HeraldError(`The event '${transactionId}' has not ended within ${timeoutMs} ms. It goes on.`);
      }
      // Herald answers early if many requests wait.
      await pause(Math.min(end - Date.now(), asked + MIN_INTERVAL_MS - Date.now()));
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}

function unwrapped(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'data' in body ? body.data : body;
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

/** A client of Herald: `request` and `list` by path, and a method for each operation, by group. */
export type Herald = HeraldClient & GroupedCalls & { readonly events: { readonly waitFor: WaitFor } };
export const Herald = HeraldClient as new (options: HeraldOptions) => Herald;
