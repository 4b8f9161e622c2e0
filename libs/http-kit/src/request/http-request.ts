import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '#libs/common';

export type HttpReply = FastifyReply;

/** A request on its way through the pipeline. */
export interface HttpRequest extends FastifyRequest {
  /** Pattern of the matched route; undefined without one. */
  route: string | undefined;
  /** Who sends the request; undefined on public routes. */
  tenant: Caller | undefined;
  /** The subscriber who sends the request; undefined on routes for other callers. */
  subscriber: CallingSubscriber | undefined;
  /** Of the request's span; undefined without traces. */
  traceparent: string | undefined;
  /** Digest of a large body that came with an Idempotency-Key. */
  bodyDigest: string | undefined;
  /** Stores how the request ends before it is answered. */
  outcome: Outcome | undefined;
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

export interface Outcome {
  /** Must not reject: the request is complete. */
  succeeded(value: unknown, status: number): Promise<void>;
  /** Must not reject: the caller gets the error. */
  failed(error: unknown): Promise<void>;
}

/** The path that a request asks for, as sent, without its query. */
export function pathOf(url: string): string {
  const target = url.startsWith('/') || !URL.canParse(url) ? url : new URL(url).pathname;
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function sendJson(reply: HttpReply, json: string): void {
  void reply.type(JSON_TYPE).send(json);
}
