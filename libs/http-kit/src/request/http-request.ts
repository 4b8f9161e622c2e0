import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import qs from 'qs';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '#libs/common';

/** The same on each platform. */
export interface HttpRequest {
  readonly id: string;
  readonly method: string;
  /** As the router sees it. */
  readonly url: string;
  /** As the client sent it. */
  readonly originalUrl: string;
  readonly headers: IncomingHttpHeaders;
  readonly protocol: string;
  /** With its port. */
  readonly host: string;
  readonly ip: string;
  readonly query: unknown;
  readonly params: unknown;
  /** Undefined until the caller is known. */
  body: unknown;
  readonly raw: IncomingMessage;
  /** Undefined on public routes. */
  tenant: Caller | undefined;
  /** Undefined on routes for other callers. */
  subscriber: CallingSubscriber | undefined;
  /** Of the request's span; undefined without traces. */
  traceparent: string | undefined;
  /** Digest of a large body that came with an Idempotency-Key. */
  bodyDigest: string | undefined;
}

/** The same on each platform. */
export interface HttpReply {
  readonly raw: ServerResponse;
  readonly statusCode: number;
  status(code: number): this;
  header(name: string, value: string | string[]): this;
  type(contentType: string): this;
  getHeader(name: string): OutgoingHttpHeader | undefined;
  getHeaders(): Readonly<Record<string, OutgoingHttpHeader | undefined>>;
  send(body?: unknown): unknown;
}

/** Identified by a session token. */
export interface CallingSubscriber {
  /** Record id. */
  readonly id: string;
  readonly subscriberId: string;
  readonly expiresAt: Date;
  /** How often sessions had been ended when the token was issued; absent: never. */
  readonly epochs?: readonly [subscriber: number, environment: number];
}

export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** As sent, without the query. */
export function pathOf(url: string): string {
  const target = url.startsWith('/') || !URL.canParse(url) ? url : new URL(url).pathname;
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
}

/** Supports lists and nesting, such as `a[]=1&b[c]=2`. Keys that reach prototypes are rejected later. */
export function parseQuery(text: string): Record<string, unknown> {
  return text === '' ? {} : qs.parse(text, { allowPrototypes: true });
}

const SAFE_ID = /^[\w.:-]{1,128}$/;

/** The caller's X-Request-Id if it is valid, otherwise a new id. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SAFE_ID.test(given) ? given : randomUUID();
}

interface Routed {
  /** Fastify. */
  readonly routeOptions?: { readonly url?: string | undefined };
  /** Express. */
  readonly route?: { readonly path?: string | undefined };
}

/** With parameters as `:name`; undefined if no route matched. */
export function routeOf(request: HttpRequest): string | undefined {
  const { routeOptions, route } = request as Routed;
  return routeOptions === undefined ? route?.path : routeOptions.url;
}

/**
 * The lower case of this letter has two characters. Fastify's router compares lower-case paths by position and would
 * cut parameters in the wrong place, so the letter is escaped once more.
 */
const LETTER = '\u0130';
const ENCODED = /%c4%b0/gi;
const ESCAPED = '%25C4%25B0';

/** A browser client with a trailing slash in its base URL doubles the first one. */
const DOUBLED_SLASH = /^\/{2,}(?=v1\/(?:widgets|inbox)\/)/i;

export function withoutDoubledSlash(url: string): string {
  return url.startsWith('//') ? url.replace(DOUBLED_SLASH, '/') : url;
}

/** For the router of Fastify. */
export function routableUrl({ url: sent = '/' }: { readonly url?: string }): string {
  const url = withoutDoubledSlash(sent);
  if (!url.includes('%')) return url;
  const [path = ''] = url.split('?', 1);
  return path.replace(ENCODED, ESCAPED) + url.slice(path.length);
}

/** Undoes {@link routableUrl} in the parameters. */
export function restoreParameters({ originalUrl, url, params }: FastifyRequest): void {
  if (originalUrl === url) return;
  const parameters = params as Record<string, string>;
  for (const name in parameters) parameters[name] = parameters[name]?.replace(ENCODED, LETTER) ?? '';
}
