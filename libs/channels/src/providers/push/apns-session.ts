import { once } from 'node:events';
import {
  connect,
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { LRUCache } from 'lru-cache';
import { ProviderError } from '../../errors/provider-error.js';
import { readBody, toResponse } from '../../http/response-body.js';
import type { OutboundResponse } from '../../http/outbound-http.types.js';

const IDLE_MS = 60_000;
const MAX_SESSIONS = 100;

/**
 * HTTP/2 connections to Apple, one per key of a tenant: Apple counts changes of the signing token per connection. They
 * are closed after a minute without use.
 */
export class ApnsSessions {
  private readonly sessions = new LRUCache<string, ClientHttp2Session>({
    max: MAX_SESSIONS,
    dispose: (session) => session.close(),
  });

  /** The last stream that Apple has processed, of connections that it closes. */
  private readonly lastStreams = new WeakMap<ClientHttp2Session, number>();

  async request(
    sessionKey: string,
    origin: string,
    headers: OutgoingHttpHeaders,
    body: string,
    signal: AbortSignal,
    onWrite: () => void,
  ): Promise<OutboundResponse> {
    signal.throwIfAborted();
    const session = this.session(sessionKey, origin);
    if (session.connecting) await once(session, 'connect', { signal });
    onWrite();
    const stream = session.request(headers, { signal });
    // A second failure of a stream is reported as an event. The first one is the answer.
    stream.on('error', () => undefined);
    const answered = new Promise<Record<string, string | string[] | undefined>>((resolve, reject) => {
      // Streams learn about the end of their connection before it reports the last stream that was processed.
      const fail = (error: Error): void => {
        setImmediate(() => reject(this.wasIgnored(session, stream) ? ignored() : error));
      };
      stream.once('response', resolve);
      stream.once('error', fail);
      stream.once('close', () => fail(Object.assign(new Error('stream closed'), { code: 'ECONNRESET' })));
    });
    stream.end(body);
    const head = await answered;
    const status = Number(head[constants.HTTP2_HEADER_STATUS]);
    return toResponse(status, head, await readBody(stream));
  }

  close(): void {
    for (const session of this.sessions.values()) session.destroy();
    this.sessions.clear();
  }

  /** Whether Apple has stated that it did not process the request (RFC 9113, 6.8 and 8.7). */
  private wasIgnored(session: ClientHttp2Session, { id, rstCode }: ClientHttp2Stream): boolean {
    const last = this.lastStreams.get(session);
    return rstCode === constants.NGHTTP2_REFUSED_STREAM || (last !== undefined && id !== undefined && id > last);
  }

  private session(key: string, origin: string): ClientHttp2Session {
    const known = this.sessions.get(key);
    if (known && !known.closed && !known.destroyed) return known;
    const session = connect(origin);
    const forget = (): void => {
      if (this.sessions.peek(key) === session) this.sessions.delete(key);
    };
    session.setTimeout(IDLE_MS, forget);
    session.on('goaway', (_code: number, lastStream: number) => {
      this.lastStreams.set(session, lastStream);
      forget();
    });
    session.on('close', forget);
    // The requests of the session report the fault.
    session.on('error', forget);
    this.sessions.set(key, session);
    return session;
  }
}

function ignored(): ProviderError {
  return new ProviderError('Apple ended the connection before it looked at the notification.', {
    code: 'unreachable',
    retryable: true,
  });
}
