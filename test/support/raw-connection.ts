import { connect, type Socket } from 'node:net';

/** A connection that sends bytes as they are, for what no HTTP client would do. */
export class RawConnection {
  /** Everything that has come back so far. */
  answer = '';
  /** Resolves when either side has hung up. */
  readonly closed: Promise<void>;
  private readonly socket: Socket;
  private readonly waiting = new Set<() => void>();

  constructor(url: string) {
    this.socket = connect(Number(new URL(url).port), '127.0.0.1');
    this.socket.setEncoding('latin1').on('data', (text: string) => {
      this.answer += text;
      for (const look of this.waiting) look();
    });
    this.socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()));
  }

  send(bytes: string | Buffer): this {
    this.socket.write(bytes);
    return this;
  }

  /** Waits until the answer has a text, and fails where the connection ends before. */
  async has(text: string): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      const look = (): void => {
        if (!this.answer.includes(text)) return;
        this.waiting.delete(look);
        resolve();
      };
      this.waiting.add(look);
      look();
      void this.closed.then(() => reject(new Error(`closed before '${text}': ${this.answer}`)));
    });
    return this;
  }

  hangUp(): void {
    this.socket.destroy();
  }
}
