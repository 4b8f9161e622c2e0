import { createServer } from 'node:http';
import { SMTPServer } from 'smtp-server';
import { Actor, world } from './world/world.mjs';

export const HTTP_PORT = 9000;
export const SMTP_PORT = 2525;
const LATE_MS = 25_000;

/** Providers of all channels and the receiver of webhooks: they note what arrives, and answer badly as the seed says. */
export class Peers {
  arrived = [];
  webhooks = [];
  /** Hears of each call as it arrives. */
  onCall = () => undefined;
  /** Part of the calls that are answered badly. */
  trouble = 0;

  constructor(dice) {
    this.dice = dice;
    this.actor = new Actor('providers');
  }

  start() {
    return world.as(this.actor, 'start', async () => {
      this.http = createServer((request, response) => this.take(request, response)).listen(HTTP_PORT);
      this.smtp = this.openSmtp();
      this.smtp.listen(SMTP_PORT);
    });
  }

  take(request, response) {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (piece) => (text += piece));
    request.on('error', () => undefined);
    request.on('end', () => this.answer(request.url.slice(1), JSON.parse(text), response));
  }

  answer(what, body, response) {
    this.onCall();
    const reply = (status, headers = {}) => {
      if (!response.destroyed)
        response.writeHead(status, headers).end(JSON.stringify({ id: `${this.arrived.length}` }));
    };
    const accept = () => {
      if (what === 'webhook') this.webhooks.push({ id: body.id, type: body.type, message: body.data.message?._id });
      else this.note(what, body.content);
    };
    if (!this.dice.chance(this.trouble)) return (accept(), reply(200));
    const fate = this.dice.of(['429', '500', 'refuses and hangs', 'takes and hangs', 'late', 'takes and cuts']);
    world.tell(`${what} provider: ${fate}`);
    if (fate === '429') return reply(429, { 'retry-after': '2' });
    if (fate === '500') return reply(500);
    if (fate.startsWith('takes') || fate === 'late') accept();
    if (fate === 'takes and cuts') return response.socket.destroy();
    if (fate === 'late') setTimeout(() => reply(200), this.dice.between(1_000, LATE_MS));
    return undefined;
  }

  /** Contents are `mail 7 s1`: event and subscriber. */
  note(channel, content) {
    const [, n, subscriber] = content.trim().split(' ');
    this.arrived.push({ channel, n: Number(n), subscriber, at: Date.now() });
    world.tell(`${channel} of event ${n} to ${subscriber} arrives`);
  }

  openSmtp() {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      logger: false,
      onAuth: (_auth, _session, done) => {
        const code = this.dice.chance(this.trouble / 2) ? this.dice.of([451, 454]) : undefined;
        if (code === undefined) return done(null, { user: 'user' });
        world.tell(`mail server: refuses with ${code}`);
        done(Object.assign(new Error('refused'), { responseCode: code }));
      },
      onData: (stream, _session, done) => {
        let source = '';
        stream.on('data', (chunk) => (source += chunk.toString('latin1')));
        stream.on('end', () => {
          this.onCall();
          this.note('mail', /^Subject: (.*)$/im.exec(source)?.[1] ?? '');
          if (!this.dice.chance(this.trouble / 2)) return done();
          world.tell('mail server: takes a mail and does not answer');
        });
      },
    });
    server.on('error', () => undefined);
    return server;
  }
}
