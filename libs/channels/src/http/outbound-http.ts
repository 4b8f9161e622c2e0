import type { LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { type FailureOutcome, Handover, ProviderError } from '../errors/provider-error.js';
import { toProviderError } from '../errors/to-provider-error.js';
import { addressRule, guardedLookup, type AddressRule, literalAddress, refusedAddress } from './address-guard.js';
import { exchange } from './exchange.js';
import type { OutboundHttp, OutboundRequest, OutboundResponse } from './outbound-http.types.js';

const DEFAULT_TIMEOUT_MS = 15_000;
const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Set by Herald and kept at a redirect to another origin: any other header could be a secret of the first one. */
const PORTABLE_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'content-type',
  'idempotency-key',
  'novu-signature',
  'user-agent',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
  'x-novu-signature',
]);

export interface OutboundHttpOptions {
  /** For URLs of users. */
  allowPrivateUrls: boolean;
  /** Always allowed. */
  privateHosts?: readonly string[];
  lookup?: LookupFunction;
  isAllowedAddress?: AddressRule;
}

export interface Hop {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
  cutsBody: boolean;
  staysAtOrigin: boolean;
}

class GuardedHttp implements OutboundHttp {
  private agents: Promise<{ trusted: Agent; guarded: Agent }> | undefined;
  private readonly rule: AddressRule | undefined;

  constructor(private readonly options: OutboundHttpOptions) {
    this.rule = addressRule(options);
  }

  async request(request: OutboundRequest): Promise<OutboundResponse> {
    const { timeoutMs = request.signal ? undefined : DEFAULT_TIMEOUT_MS } = request;
    const time = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    const signal = time && request.signal ? AbortSignal.any([time, request.signal]) : (time ?? request.signal);
    let host = 'the host';
    let handover = new Handover();
    // 303 means that the request was processed; failing to fetch the result cannot undo that.
    let workedOn: OutboundResponse | undefined;
    try {
      let hop = this.firstHop(request);
      for (let redirects = 0; ; redirects += 1) {
        host = hop.url.hostname;
        const answer = await this.exchange(hop, signal, request, handover);
        const next = request.trusted === true ? undefined : hopAfter(hop, answer, this.rule);
        if (next === undefined) return answer.status >= 300 ? (workedOn ?? answer) : answer;
        if (answer.status === 303) workedOn ??= answer;
        handover = new Handover();
        if (redirects === MAX_REDIRECTS) throw tooManyRedirects(host);
        hop = next;
      }
    } catch (error) {
      if (workedOn !== undefined) return workedOn;
      if (error instanceof ProviderError) throw error;
      const { outcome } = handover;
      throw time?.aborted ? timeOut(host, outcome) : toProviderError(error, `Host '${host}'`, [], outcome);
    }
  }

  async close(): Promise<void> {
    const agents = await this.agents;
    this.agents = undefined;
    await Promise.all([agents?.trusted.destroy(), agents?.guarded.destroy()]);
  }

  private firstHop(request: OutboundRequest): Hop {
    const { url, method, headers, body, trusted, cutsBody = false, staysAtOrigin = false } = request;
    return {
      url: parseOutboundUrl(url, trusted === true ? undefined : this.rule),
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { ...headers },
      body,
      cutsBody,
      staysAtOrigin,
    };
  }

  private async exchange(
    { url, method, headers, body, cutsBody }: Hop,
    signal: AbortSignal | undefined,
    { trusted, onWrite }: Pick<OutboundRequest, 'trusted' | 'onWrite'>,
    handover: Handover,
  ): Promise<OutboundResponse> {
    const { trusted: open, guarded } = await this.start();
    const { origin, pathname, search } = url;
    const request = { origin, path: `${pathname}${search}`, method, headers, ...(body !== undefined && { body }) };
    return exchange(trusted === true ? open : guarded, request, {
      signal,
      cutsBody,
      onWrite: () => {
        handover.begin();
        onWrite?.();
      },
    });
  }

  private start(): Promise<{ trusted: Agent; guarded: Agent }> {
    this.agents ??= this.createAgents();
    return this.agents;
  }

  /** Loaded on demand: the client takes tens of milliseconds to load. */
  private async createAgents(): Promise<{ trusted: Agent; guarded: Agent }> {
    const { Agent: UndiciAgent } = await import('undici');
    const { lookup } = this.options;
    const rule = this.rule;
    const guard = rule === undefined ? lookup : guardedLookup(rule, lookup);
    // The other side may close a connection that was idle for longer while it is reused; the outcome of the request
    // would be unknown.
    const shared = { connections: 100, keepAliveTimeout: 4_000 };
    return {
      trusted: new UndiciAgent({ ...shared, connect: { timeout: 10_000, ...(lookup && { lookup }) } }),
      guarded: new UndiciAgent({ ...shared, connect: { timeout: 10_000, ...(guard && { lookup: guard }) } }),
    };
  }
}

/** Redirects keep method and body, so that nothing undelivered counts as delivered. Only 303 becomes a GET. */
export function hopAfter(
  hop: Hop,
  answer: Pick<OutboundResponse, 'status' | 'headers'>,
  rule?: AddressRule,
): Hop | undefined {
  const { url, method, headers, body } = hop;
  const location = answer.headers['location'];
  if (!REDIRECTS.has(answer.status) || location === undefined) return undefined;
  const next = parseOutboundUrl(location, rule, url);
  const repeat = answer.status === 303 ? { method: 'GET', body: undefined } : { method, body };
  if (next.origin === url.origin) return { ...hop, url: next, ...repeat };
  if (hop.staysAtOrigin) throw redirected(url, next, 'It has secrets or credentials, which are not sent there');
  if (url.protocol === 'https:' && next.protocol === 'http:' && repeat.body !== undefined) {
    throw redirected(url, next, 'Its body is not sent there without encryption');
  }
  const kept = Object.entries(headers).filter(([name]) => PORTABLE_HEADERS.has(name.toLowerCase()));
  return { ...hop, url: next, headers: Object.fromEntries(kept), ...repeat };
}

function redirected(from: URL, to: URL, reason: string): ProviderError {
  return refused(
    `Host '${from.hostname}' redirects the request to '${to.origin}'. ${reason}: give the URL that it leads to instead, if you trust it.`,
  );
}

function tooManyRedirects(host: string): ProviderError {
  return new ProviderError(`The URL was redirected more than ${MAX_REDIRECTS} times, last at '${host}'.`, {
    code: 'url_not_allowed',
    retryable: false,
  });
}

function timeOut(host: string, outcome: FailureOutcome): ProviderError {
  return new ProviderError(`Host '${host}' did not answer in time.`, { code: 'timeout', retryable: true, outcome });
}

/**
 * Checks URLs of users before and at connecting and after each redirect. `trusted` requests go to fixed or configured
 * hosts, unchecked and without redirects.
 */
export function createOutboundHttp(options: OutboundHttpOptions): OutboundHttp {
  return new GuardedHttp(options);
}

function refused(reason: string): ProviderError {
  return new ProviderError(reason, { code: 'url_not_allowed', retryable: false });
}

/**
 * Allows only http and https. A rule also rejects user information and forbidden addresses. The parser normalizes
 * unusual notations of addresses first.
 */
export function parseOutboundUrl(text: string, rule?: AddressRule, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw refused('The URL is not valid; give an absolute http or https URL.');
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refused(`The URL has the scheme '${url.protocol.slice(0, -1)}'; only http and https are allowed.`);
  }
  if (rule === undefined) return url;
  if (url.username !== '' || url.password !== '') {
    throw refused('The URL holds a user name or password; leave them out and use the credentials of the integration.');
  }
  const address = literalAddress(url.hostname);
  if (address !== undefined && !rule(address)) throw refusedAddress(url.hostname);
  return url;
}
