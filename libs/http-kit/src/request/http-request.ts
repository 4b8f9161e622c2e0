import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { Caller } from '#libs/common';

/** A request, as handlers, guards and interceptors see it on each platform. */
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
  /** Who sends the request; undefined on public routes. */
  tenant: Caller | undefined;
  /** The subscriber who sends the request; undefined on routes for other callers. */
  subscriber: CallingSubscriber | undefined;
  /** Of the request's span; undefined without traces. */
  traceparent: string | undefined;
  /** Digest of a large body that came with an Idempotency-Key. */
  bodyDigest: string | undefined;
}

/** A response, as far as the platforms agree. */
export interface HttpReply {
  readonly raw: ServerResponse;
  readonly statusCode: number;
  status(code: number): this;
  header(name: string, value: string): this;
  type(contentType: string): this;
  getHeader(name: string): OutgoingHttpHeader | undefined;
  getHeaders(): Readonly<Record<string, OutgoingHttpHeader | undefined>>;
  send(body?: unknown): unknown;
}

/** A subscriber as identified by a session token. */
export interface CallingSubscriber {
  /** Record id. */
  readonly id: string;
  readonly subscriberId: string;
  /** When the token expires. */
  readonly expiresAt: Date;
  /** How often the sessions of the subscriber and of the environment had been ended when the token was issued; absent: never. */
  readonly epochs?: readonly [subscriber: number, environment: number];
}

/** The path that a request asks for, as sent, without its query. */
export function pathOf(url: string): string {
  const target = url.startsWith('/') || !URL.canParse(url) ? url : new URL(url).pathname;
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
}
