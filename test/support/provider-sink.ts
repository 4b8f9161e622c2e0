import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a fake provider answers. @param path path and query of the request @param body its body as text */
export type Answer = (path: string, body: string, response: ServerResponse) => void;

/** A fake provider on a free loopback port that keeps every request whole. */
export interface ProviderSink {
  readonly url: string;
  readonly requests: { path: string; body: string }[];
  answer: Answer;
  close(): Promise<void>;
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => {
  return (_path, _body, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
};

/** Takes the request whole and closes the connection without a word. */
export const hangUp: Answer = (_path, _body, response) => void response.destroy();

/** Answers with a status, and closes the connection in the middle of the body. */
export const cutOff = (status: number): Answer => {
  return (_path, _body, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': '100' }).write('{"sid":');
    setImmediate(() => response.destroy());
  };
};

/** A fake provider for all tests of a file or of a `describe`; what it was sent is forgotten before each test. */
export function useProviderSink(): ProviderSink {
  let running: ProviderSink | undefined;
  const started = (): ProviderSink => {
    if (running === undefined) throw new Error('The provider runs in tests and hooks only, and it has not started.');
    return running;
  };
  beforeAll(async () => {
    running = await startProviderSink();
  });
  beforeEach(() => {
    started().requests.splice(0);
    started().answer = json(200, {});
  });
  afterAll(() => running?.close());
  return {
    get url() {
      return started().url;
    },
    get requests() {
      return started().requests;
    },
    get answer() {
      return started().answer;
    },
    set answer(answer) {
      started().answer = answer;
    },
    close: () => started().close(),
  };
}

export async function startProviderSink(): Promise<ProviderSink> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      sink.requests.push({ path: request.url ?? '', body });
      sink.answer(request.url ?? '', body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sink: ProviderSink = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    answer: json(200, {}),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return sink;
}
