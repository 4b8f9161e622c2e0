import type { DeviceProvider, InboxFilter, InboxNotification, InboxOptions, InboxView } from './types.js';

const REQUEST_MS = 30_000;
/** Pages that are read to catch up; beyond these, the list begins anew. */
const MAX_PAGES = 10;

export interface InboxSession {
  readonly token: string;
  readonly unreadCount: { readonly total: number };
  /** 0 if notifications cannot be snoozed. */
  readonly maxSnoozeDurationHours: number;
}

export interface InboxPage {
  readonly data: readonly InboxNotification[];
  readonly hasMore: boolean;
}

interface Sent {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** What Herald refused; `status` is 0 if it was not reached. */
export class InboxError extends Error {
  override readonly name = 'InboxError';

  constructor(
    message: string,
    readonly status: number,
    readonly code?: string,
    /** Milliseconds, if Herald says when to try again. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }

  /** The same request can succeed later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

const VIEWS: Readonly<Record<InboxView, Readonly<Record<string, boolean>>>> = {
  inbox: { archived: false },
  unread: { archived: false, read: false },
  archived: { archived: true },
  snoozed: { snoozed: true },
};

/** The filter of a list. */
export function filterOf(view: InboxView, filter: InboxFilter = {}): Readonly<Record<string, unknown>> {
  return { ...filter, ...VIEWS[view] };
}

/** The routes for browsers. Begins a session at the first request, and another one when the token has ended. */
export class InboxApi {
  private session: Promise<InboxSession> | undefined;
  private readonly base: string;

  constructor(private readonly options: InboxOptions) {
    this.base = `${options.backendUrl.replace(/\/$/, '')}/v1/inbox/`;
  }

  open(): Promise<InboxSession> {
    this.session ??= this.begin().catch((error: unknown) => {
      this.session = undefined;
      throw error;
    });
    return this.session;
  }

  /** @param until pages are read until one ends before this time; one page without it */
  async list(
    filter: Readonly<Record<string, unknown>>,
    limit: number,
    after?: string,
    until?: string,
  ): Promise<InboxPage> {
    const data: InboxNotification[] = [];
    for (let pages = 1; ; pages += 1) {
      const query = { ...filter, limit, after: data.at(-1)?.id ?? after };
      const page = await this.whole<InboxPage>('GET', 'notifications', { query });
      data.push(...page.data);
      const last = data.at(-1);
      const isEnough = until === undefined || last === undefined || last.createdAt < until || pages === MAX_PAGES;
      if (!page.hasMore || isEnough) return { data, hasMore: page.hasMore };
    }
  }

  async count(filters: readonly object[]): Promise<number[]> {
    const query = { filters: JSON.stringify(filters) };
    return (await this.call<{ count: number }[]>('GET', 'notifications/count', { query })).map(({ count }) => count);
  }

  /** For push messages to an application; the environment has an integration of the provider. */
  async registerDevice(providerId: DeviceProvider, deviceToken: string): Promise<void> {
    await this.call('POST', 'device-tokens', { body: { providerId, deviceToken } });
  }

  /** Before the user signs out. */
  removeDevice(providerId: DeviceProvider, deviceToken: string): Promise<void> {
    return this.call('DELETE', 'device-tokens', { body: { providerId, deviceToken } });
  }

  /** @param path below `/v1/inbox/` @returns `data` of the response */
  async call<T>(method: string, path: string, sent: Sent = {}): Promise<T> {
    return (await this.whole<{ data: T } | undefined>(method, path, sent))?.data as T;
  }

  /** The response as soon as its headers are there. @throws {InboxError} */
  async send(method: string, path: string, sent: Sent = {}): Promise<Response> {
    const began = this.open();
    const response = await this.fetch(method, path, sent, (await began).token);
    if (response.status !== 401) return refuse(response);
    if (this.session === began) this.session = undefined;
    return refuse(await this.fetch(method, path, sent, (await this.open()).token));
  }

  private async whole<T>(method: string, path: string, sent: Sent): Promise<T> {
    const response = await this.send(method, path, sent);
    return (response.status === 204 ? undefined : await response.json().catch(unreached)) as T;
  }

  private async begin(): Promise<InboxSession> {
    const { applicationIdentifier, subscriberId, subscriberHash } = this.options;
    const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
    const body = { applicationIdentifier, subscriber: { subscriberId, timezone }, subscriberHash };
    const response = await refuse(await this.fetch('POST', 'session', { body }));
    return ((await response.json().catch(unreached)) as { data: InboxSession }).data;
  }

  private async fetch(method: string, path: string, { query, body, signal }: Sent, token?: string): Promise<Response> {
    const headers = {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    };
    const { fetch: call = globalThis.fetch } = this.options;
    return call(this.base + path + queryOf(query), {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: signal ?? signalAfter(REQUEST_MS),
      cache: 'no-store',
      // What was begun is finished when a click leads to another page.
      keepalive: method !== 'GET',
    }).catch(unreached);
  }
}

/** `AbortSignal.timeout`, which React Native does not have. */
export function signalAfter(ms: number): AbortSignal {
  if ('timeout' in AbortSignal) return AbortSignal.timeout(ms);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}

/** `URLSearchParams` of older versions of React Native cannot do it. */
function queryOf(query: Sent['query'] = {}): string {
  const fields = Object.entries(query).flatMap(([name, value]): (readonly [string, unknown])[] => {
    if (Array.isArray(value)) return value.map((one) => [`${name}[]`, one] as const);
    if (typeof value === 'object') return [[name, JSON.stringify(value)]];
    return value === undefined ? [] : [[name, value]];
  });
  const text = fields.map((field) => field.map((part) => encodeURIComponent(String(part))).join('=')).join('&');
  return text === '' ? '' : `?${text}`;
}

function unreached(error: unknown): never {
  throw new InboxError(String(error), 0);
}

/** @returns the response, if it is no error */
async function refuse(response: Response): Promise<Response> {
  if (response.ok) return response;
  const { message, code } = (await response.json().catch(() => ({}))) as { message?: string | string[]; code?: string };
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new InboxError(
    [message ?? response.statusText].flat().join(' '),
    response.status,
    code,
    Number.isNaN(seconds) ? undefined : seconds * 1_000,
  );
}
