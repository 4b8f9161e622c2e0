import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** `cut`: the connection ends without an answer; `never`: it stays open. */
type Answer =
  | {
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: object;
      readonly text?: string;
    }
  | 'cut'
  | 'never';

/** Keeps what it is asked, and answers as the test says; with `{}` where the test says nothing. */
export class RecordingServer {
  requests: RecordedRequest[] = [];
  url = '';
  private answers: Answer[] = [];
  private readonly server = createServer((request, response) => this.take(request, response));

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The answers to the next requests, in order. */
  answerWith(...answers: Answer[]): void {
    this.answers = answers;
  }

  reset(): void {
    this.requests = [];
    this.answers = [];
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const body = Buffer.concat(chunks).toString();
      this.requests.push({ method, path, headers: headers as RecordedRequest['headers'], body });
      const answer = this.answers.shift() ?? { status: 200, body: {} };
      if (answer === 'never') return;
      if (answer === 'cut') return void request.socket.destroy();
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      response.end(answer.text ?? (answer.body ? JSON.stringify(answer.body) : ''));
    });
  }
}
