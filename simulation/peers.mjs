import { createServer } from 'node:http';
import { SMTPServer } from 'smtp-server';
import { Actor, world } from './world/world.mjs';

export const HTTP_PORT = 9000;
export const SMTP_PORT = 2525;
/** Two that stand in for each other. */
export const TEXT_PROVIDERS = ['text', 'text-2'];
const LATE_MS = 25_000;

/** Providers of all channels and the receiver of webhooks: they note what arrives, and answer badly as the seed says. */
export class Peers {
  arrived = [];
  webhooks = [];
  /** Hears of each call as it arrives. */
  onCall = () => undefined;
  /** Hears of each mail that has come: its subject and its source. */
  onMail = () => undefined;
  /** Part of the calls that are answered badly. */
  trouble = 0;
  /** The one that answers everything with 500. */
  down;
  /** Contents that somebody tried to send, by provider. */
  tried = new Set();
  /** Requests of steps, by what names them: those that were carried out, and those whose sender died meanwhile. */
  requests = { done: new Set(), interrupted: new Set() };

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
    request.on('end', () => this.answer(request, JSON.parse(text), response));
  }

  answer(request, body, response) {
    const what = request.url.slice(1);
    if (what !== 'webhook') this.onCall(request.socket.peer.actor);
    this.tried.add(`${what} ${body.content}`);
    const isRepeated = what === 'step' && this.isRepeated(request, response);
    const reply = (status, headers = {}) => {
      const [, n] = body.content?.split(' ') ?? [];
      if (!response.destroyed)
        response.writeHead(status, headers).end(JSON.stringify({ id: `${this.arrived.length}`, n }));
    };
    const accept = () => {
      if (what === 'webhook') this.webhooks.push({ id: body.id, type: body.type, ...body.data });
      else if (!isRepeated) this.note(what.replace('-2', ''), body.content);
      if (what === 'step') this.requests.done.add(request.headers['idempotency-key']);
    };
    if (what === this.down) return reply(500);
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

  /** Herald may send a request of a step again, with its key, but not after a process has died over it. */
  isRepeated({ headers, socket }, response) {
    const { done, interrupted } = this.requests;
    const { actor } = socket.peer;
    const key = headers['idempotency-key'];
    if (interrupted.has(key)) world.fail('P24', `${actor.name} sends a request that a process has died over`);
    response.on('close', () => {
      if (!response.writableFinished && !actor.isAlive) interrupted.add(key);
    });
    return done.has(key);
  }

  /** Contents are `mail 7 s1`: event and subscriber. */
  note(channel, content) {
    const [, n, subscriber, version] = content.trim().split(' ');
    this.arrived.push({ channel, n: Number(n), subscriber, version, at: Date.now(), ms: world.now() });
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
          const [, subject] = /^Subject: (.*?)\r?$/im.exec(source);
          this.note('mail', subject);
          this.onMail(subject, source.replace(/=\r?\n/g, ''));
          if (!this.dice.chance(this.trouble / 2)) return done();
          world.tell('mail server: takes a mail and does not answer');
        });
      },
    });
    server.on('error', () => undefined);
    return server;
  }
}
