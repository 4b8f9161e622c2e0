import { HeraldApiError, HeraldConnectionError } from './errors.js';
import { backoffMs, pause, retryAfterMs, type RetryPolicy } from './retry.js';

export interface TransportSettings {
  readonly fetch: typeof fetch;
  readonly policy: RetryPolicy;
  readonly timeoutMs: number;
}

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxAttempts?: number;
}

interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

const TRANSIENT: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Repeating one of these has the effect of doing it once. */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE']);

/** Sends a request until it succeeds, is refused, or reaches a limit of the policy. */
export class Transport {
  constructor(private readonly settings: TransportSettings) {}

  /** @returns the body. @throws {HeraldApiError} @throws {HeraldConnectionError} @throws the reason of `signal` */
  async send(request: Sent): Promise<unknown> {
    const started = Date.now();
    const { policy } = this.settings;
    const route = `${request.method} ${new URL(request.url).pathname}`;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.attempt(request, route);
      if (!(outcome instanceof Error) && outcome.status < 400) return outcome.body;
      const mayRetry = attempt < (request.maxAttempts ?? policy.maxAttempts) && isTransient(outcome, request);
      const waitMs = mayRetry ? waitBefore(outcome, attempt, policy) : Infinity;
      if (Date.now() - started + waitMs > policy.maxElapsedMs) {
        throw outcome instanceof Error ? outcome : new HeraldApiError(outcome, route);
      }
      await pause(waitMs, request.signal);
    }
  }

  private async attempt(request: Sent, route: string): Promise<Received | HeraldConnectionError> {
    const { method, url, headers, body, signal } = request;
    const timeout = AbortSignal.timeout(request.timeoutMs ?? this.settings.timeoutMs);
    try {
      const response = await this.settings.fetch(url, {
        method,
        headers,
        ...(body !== undefined && { body }),
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: parsed(text) };
    } catch (cause) {
      signal?.throwIfAborted();
      const reason = timeout.aborted ? 'no response in time' : 'the connection failed';
      return new HeraldConnectionError(`${route}: ${reason}`, { cause });
    }
  }
}

function isTransient(outcome: Received | Error, { method, headers }: Sent): boolean {
  const isRepeatable = IDEMPOTENT.has(method) || headers['idempotency-key'] !== undefined;
  if (outcome instanceof Error) return isRepeatable;
  if (outcome.status === 429) return true;
  if (!isRepeatable) return false;
  // An earlier attempt with this key, whose response was lost, is still being processed.
  return TRANSIENT.has(outcome.status) || codeOf(outcome.body) === 'idempotency_key_in_progress';
}

function waitBefore(outcome: Received | Error, attempt: number, policy: RetryPolicy): number {
  const asked = outcome instanceof Error ? undefined : retryAfterMs(outcome.headers.get('retry-after'), Date.now());
  const backoff = backoffMs(attempt, policy);
  return asked === undefined ? backoff : asked + backoff / 2;
}

function codeOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
}

/** Proxies answer with other texts than JSON. */
function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
