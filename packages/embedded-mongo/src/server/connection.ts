import type { Socket } from 'node:net';
import { isNumeric, numberOf } from '../bson/numbers.js';
import { MAX_MESSAGE_BYTES } from '../commands/admin.js';
import type { Context, Request } from '../commands/context.js';
import { dispatch } from '../commands/dispatch.js';
import { FrameReader, frameReply, MalformedFrame, parseMessage, type Message } from './frames.js';

/**
 * Answers one connection's messages one after the other; bytes that are no message end this connection only. Messages that arrive
 * together and can be answered at once are answered in one write.
 */
export class Connection {
  private readonly reader = new FrameReader(MAX_MESSAGE_BYTES);
  private waiting: Buffer[] = [];
  private busy = false;
  private gone = false;
  private readonly abandoned = (): boolean => this.gone;

  constructor(
    private readonly context: Context,
    private readonly socket: Socket,
    private readonly id: number,
    private readonly budgetMs: number,
  ) {
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.gone = true;
      context.transactions.disconnected(id);
    });
    socket.on('data', (piece: Buffer) => this.receive(piece));
  }

  private receive(piece: Buffer): void {
    try {
      this.waiting.push(...this.reader.push(piece));
      if (!this.busy) this.answerWaiting();
    } catch (error) {
      this.hangUp(error);
    }
  }

  private answerWaiting(): void {
    const ready: Buffer[] = [];
    try {
      for (let frame = this.waiting.shift(); frame && !this.gone; frame = this.waiting.shift()) {
        const message = parseMessage(frame);
        const reply = dispatch(this.context, this.toRequest(message));
        if (reply instanceof Promise) {
          this.busy = true;
          reply.then((body) => this.answerLater(message, body)).catch((error: unknown) => this.hangUp(error));
          return;
        }
        if (!message.silent) ready.push(frameReply(message, reply));
      }
    } finally {
      this.send(ready);
    }
  }

  private answerLater(message: Message, body: Buffer): void {
    this.busy = false;
    if (!message.silent) this.send([frameReply(message, body)]);
    if (!this.busy) this.answerWaiting();
  }

  private send(frames: Buffer[]): void {
    if (frames.length === 0 || this.gone) return;
    const bytes = frames.length === 1 ? (frames[0] as Buffer) : Buffer.concat(frames);
    if (this.socket.write(bytes) || this.busy) return;
    // a client that does not read gets no further answers prepared
    this.busy = true;
    this.socket.once('drain', () => {
      this.busy = false;
      try {
        this.answerWaiting();
      } catch (error) {
        this.hangUp(error);
      }
    });
  }

  private hangUp(error: unknown): void {
    const level = error instanceof MalformedFrame ? 'warn' : 'error';
    const reason = error instanceof Error ? error.message : String(error);
    this.context.log({ level, msg: 'connection closed', reason });
    this.socket.destroy();
  }

  private toRequest(message: Message): Request {
    const { command, name, documents } = message;
    const asked = isNumeric(command.maxTimeMS) ? Number(numberOf(command.maxTimeMS)) : 0;
    return {
      name,
      command,
      documents,
      connectionId: this.id,
      abandoned: this.abandoned,
      db: typeof command.$db === 'string' ? command.$db : 'test',
      deadline: Date.now() + (asked > 0 ? asked : this.budgetMs),
    };
  }
}
