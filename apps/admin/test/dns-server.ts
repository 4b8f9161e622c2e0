import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { decode, encode, type StringAnswer, type TxtAnswer, type MxAnswer } from 'dns-packet';

/** Records of a name: texts, addresses and mail servers. */
export interface Zone {
  readonly TXT?: readonly string[];
  readonly A?: readonly string[];
  readonly AAAA?: readonly string[];
  readonly MX?: readonly string[];
  /** Nothing is answered. */
  readonly silent?: true;
}

/** A DNS server on a free UDP port of loopback, which knows the zones that a test gives it, and nothing else. */
export class DnsServer {
  zones: Readonly<Record<string, Zone>> = {};
  readonly asked: string[] = [];

  private constructor(private readonly socket: Socket) {}

  static async start(): Promise<DnsServer> {
    const socket = createSocket('udp4');
    const server = new DnsServer(socket);
    socket.on('message', (message, { port, address }) => {
      const answer = server.answer(message);
      if (answer !== undefined) socket.send(answer, port, address);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return server;
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  close(): void {
    this.socket.close();
  }

  private answer(message: Buffer): Buffer | undefined {
    const { id, questions = [] } = decode(message);
    const [question] = questions;
    if (question === undefined) return undefined;
    const { name, type } = question;
    this.asked.push(`${type} ${name}`);
    const zone = this.zones[name.toLowerCase()];
    if (zone?.silent) return undefined;
    const answers = zone === undefined ? [] : recordsOf(name, type, zone);
    const missing = zone === undefined ? 3 : 0;
    return encode({ id: id ?? 0, type: 'response', flags: missing, questions: [question], answers });
  }
}

function recordsOf(name: string, type: string, zone: Zone): (TxtAnswer | StringAnswer | MxAnswer)[] {
  const base = { name, ttl: 60 };
  // A record of more than 255 bytes consists of several texts.
  if (type === 'TXT')
    return (zone.TXT ?? []).map((text) => ({ ...base, type, data: text.match(/.{1,255}/gs) ?? [''] }));
  if (type === 'MX')
    return (zone.MX ?? []).map((exchange, at) => ({ ...base, type, data: { preference: at, exchange } }));
  if (type !== 'A' && type !== 'AAAA') return [];
  return (zone[type] ?? []).map((data) => ({ ...base, type, data }));
}
