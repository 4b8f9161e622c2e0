import { connect, constants, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2';
import { LRUCache } from 'lru-cache';
import { readBody, toResponse } from '../../http/response-body.js';
import type { OutboundResponse } from '../../http/outbound-http.types.js';

const IDLE_MS = 60_000;
const MAX_SESSIONS = 100;

/**
 * HTTP/2 connections to Apple, one per key of a tenant: Apple counts changes of the signing token per connection.
 * Connections that nobody uses for a minute are closed.
 */
export class ApnsSessions {
  private readonly sessions = new LRUCache<string, ClientHttp2Session>({
    max: MAX_SESSIONS,
    dispose: (session) => session.close(),
  });

  async request(
    sessionKey: string,
    origin: string,
    headers: OutgoingHttpHeaders,
    body: string,
    signal: AbortSignal,
  ): Promise<OutboundResponse> {
    signal.throwIfAborted();
    const stream = this.session(sessionKey, origin).request(headers, { signal });
    // A stream that fails twice reports the second time as an event; the first one is the answer.
    stream.on('error', () => undefined);
    const answered = new Promise<Record<string, string | string[] | undefined>>((resolve, reject) => {
      stream.once('response', resolve);
      stream.once('error', reject);
      stream.once('close', () => reject(Object.assign(new Error('stream closed'), { code: 'ECONNRESET' })));
    });
    stream.end(body);
    const head = await answered;
    const status = Number(head[constants.HTTP2_HEADER_STATUS]);
    return toResponse(status, head, await readBody(stream, status >= 400));
  }

  close(): void {
    for (const session of this.sessions.values()) session.destroy();
    this.sessions.clear();
  }

  private session(key: string, origin: string): ClientHttp2Session {
    const known = this.sessions.get(key);
    if (known && !known.closed && !known.destroyed) return known;
    const session = connect(origin);
    const forget = (): void => {
      if (this.sessions.peek(key) === session) this.sessions.delete(key);
    };
    session.setTimeout(IDLE_MS, forget);
    session.on('goaway', forget);
    session.on('close', forget);
    // The requests of the session report the fault themselves.
    session.on('error', forget);
    this.sessions.set(key, session);
    return session;
  }
}
