import { get, type ClientRequest, type IncomingMessage } from 'node:http';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import type { Json } from './answers.js';
import { eventually } from './eventually.js';

type Server = Readonly<{ url: string }>;

export interface LiveEvent {
  readonly name: string;
  readonly data: Json;
}

/** A socket client, with the settings of the published browser clients. */
export class SocketClient {
  readonly events: LiveEvent[] = [];
  /** Reasons of disconnections and refusals, in their order. */
  readonly ends: string[] = [];
  readonly socket: Socket;

  constructor({ url }: Server, options: Partial<ManagerOptions & SocketOptions>) {
    this.socket = io(url, { transports: ['websocket'], forceNew: true, reconnectionDelay: 50, ...options });
    this.socket.onAny((name: string, data: Json) => this.events.push({ name, data }));
    this.socket.on('disconnect', (reason) => this.ends.push(reason));
    this.socket.on('connect_error', (error) => this.ends.push(error.message));
  }

  /** Connects as the bell does. The counts with which a connection begins are not among the events. */
  static async connect(server: Server, token: string): Promise<SocketClient> {
    const client = new SocketClient(server, { auth: { token } });
    await client.connected();
    await eventually(() => expect(client.named('unread_count_changed')).not.toHaveLength(0));
    client.events.length = 0;
    return client;
  }

  async connected(): Promise<void> {
    await eventually(() => expect({ ends: this.ends, isOpen: this.socket.connected }).toMatchObject({ isOpen: true }));
  }

  named(name: string): Json[] {
    return this.events.filter((event) => event.name === name).map(({ data }) => data);
  }

  get messages(): Json[] {
    return this.named('notification_received').map(({ message }) => message as Json);
  }

  close(): void {
    this.socket.disconnect();
  }
}

/** A reader of server-sent events. */
export class StreamClient {
  readonly events: (LiveEvent & { readonly id: string })[] = [];
  comments = 0;
  isEnded = false;
  private text = '';

  private constructor(
    private readonly request: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    response.setEncoding('utf8').on('data', (chunk: string) => this.read(chunk));
    for (const end of ['end', 'error', 'close']) response.on(end, () => (this.isEnded = true));
  }

  /** @param options.path with its query; the token is added to the headers */
  static open(
    { url }: Server,
    { token, lastEventId, path = '/v1/inbox/stream' }: { token?: string; lastEventId?: string; path?: string },
  ): Promise<StreamClient> {
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    };
    return new Promise((resolve, reject) => {
      const request = get(`${url}${path}`, { headers, agent: false }, (response) =>
        resolve(new StreamClient(request, response)),
      );
      request.on('error', reject);
    });
  }

  /** After the first counts, with which a stream begins. */
  async begun(): Promise<this> {
    await eventually(() => expect(this.named('counts')).not.toEqual([]));
    return this;
  }

  named(name: string): Json[] {
    return this.events.filter((event) => event.name === name).map(({ data }) => data);
  }

  get messageIds(): string[] {
    return this.named('message').map(({ _id }) => String(_id));
  }

  get lastEventId(): string {
    return this.events.at(-1)?.id ?? '';
  }

  close(): void {
    this.request.destroy();
  }

  private read(chunk: string): void {
    this.text += chunk;
    const blocks = this.text.split('\n\n');
    this.text = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
      if (block.startsWith(':')) this.comments += 1;
      if (field('event') === '') continue;
      this.events.push({ name: field('event'), id: field('id'), data: JSON.parse(field('data')) as Json });
    }
  }
}
