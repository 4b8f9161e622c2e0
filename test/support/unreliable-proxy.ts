import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of a request. */
type Mishap =
  /** Herald carries it out, and the connection is lost before the response. */
  | 'lost after'
  /** The connection is lost before Herald gets it. */
  | 'lost before'
  /** A response in place of Herald's. */
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown };

/** Stands between a client and Herald, loses connections and answers in place of Herald. */
export class UnreliableProxy {
  /** What the client sent, attempt by attempt. */
  readonly attempts: { readonly route: string; readonly key: string | undefined }[] = [];
  private readonly mishaps: Mishap[] = [];

  private constructor(
    private readonly target: string,
    private readonly server: Server,
  ) {}

  static async before(target: string): Promise<UnreliableProxy> {
    const server = createServer((request, response) => void proxy.pass(request, response));
    const proxy = new UnreliableProxy(target, server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The next requests meet with these, one each. */
  arm(...mishaps: Mishap[]): void {
    this.mishaps.push(...mishaps);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    this.attempts.push({ route: `${method} ${url}`, key: headers['idempotency-key'] as string | undefined });
    const mishap = this.mishaps.shift();
    if (mishap === 'lost before') return void request.socket.destroy();
    if (typeof mishap === 'object') {
      response.writeHead(mishap.status, { 'content-type': 'application/json', ...mishap.headers });
      return void response.end(JSON.stringify(mishap.body ?? {}));
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { connection: _connection, 'content-length': _length, host: _host, ...passed } = headers;
    const answer = await fetch(`${this.target}${url}`, {
      method,
      headers: passed as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const text = await answer.text();
    if (mishap === 'lost after') return void request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(text);
  }
}
