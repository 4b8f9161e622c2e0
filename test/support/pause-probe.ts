import { Worker } from 'node:worker_threads';

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface Attack {
  readonly statuses: readonly number[];
  /** The longest time between two turns of the event loop, as processor time. */
  readonly pauseMs: number;
}

const TURN_MS = 1;

/** Sends from a thread of its own, one after another, so that only the answering keeps the event loop busy. */
const SENDER = `
const { parentPort, workerData } = require('node:worker_threads');
const http = require('node:http');
const { port } = new URL(workerData);
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const send = ({ method, path, headers, body }) => new Promise((resolve) => {
  const length = body === undefined ? {} : { 'content-length': body.length };
  const sent = http.request({ host: '127.0.0.1', port, agent, method, path, headers: { ...headers, ...length } }, (answer) => {
    answer.resume().once('close', () => resolve(answer.statusCode));
    if (String(answer.headers['content-type']).startsWith('text/event-stream')) answer.destroy();
  });
  // A refused body may break off, and so may a stream.
  sent.on('error', () => resolve(0)).setTimeout(60_000, () => sent.destroy());
  sent.end(body);
});
parentPort.on('message', async (requests) => {
  const statuses = [];
  for (const one of requests) statuses.push(await send(one));
  parentPort.postMessage(statuses);
});
`;

/** Measures what requests do to the event loop of this process, whose application answers them. */
export class PauseProbe {
  private readonly sender: Worker;
  private pause = 0;

  constructor(url: string) {
    this.sender = new Worker(SENDER, { eval: true, workerData: url });
  }

  async measure(requests: readonly RawRequest[]): Promise<Attack> {
    const answered = new Promise<number[]>((resolve) => this.sender.once('message', resolve));
    this.sender.postMessage(requests);
    let before = process.cpuUsage();
    this.pause = 0;
    const timer = setInterval(() => {
      const { user, system } = process.cpuUsage(before);
      before = process.cpuUsage();
      this.pause = Math.max(this.pause, (user + system) / 1_000);
    }, TURN_MS);
    try {
      return { statuses: await answered, pauseMs: this.pause };
    } finally {
      clearInterval(timer);
    }
  }

  async close(): Promise<void> {
    await this.sender.terminate();
  }
}
