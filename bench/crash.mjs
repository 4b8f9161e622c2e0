// Kills the service with SIGKILL at random moments while events with delays, digests and mails come in, starts it again,
// and then checks that every acknowledged notification was delivered: in-app messages exactly once, mails at most once
// more for each crash. Needs `npm run build`.
//   node bench/crash.mjs [--events 2000] [--kills 4] [--seed 1]
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { seededRandom, sleep, startKillableService } from './support/killable-service.mjs';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '2000' },
    kills: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
  },
});
const EVENTS = Number(values.events);
const KILLS = Number(values.kills);
const WAIT_SECONDS = 3;
const CATCH_UP_MS = 30_000;
const say = (text) => process.stdout.write(`${text}\n`);
const random = seededRandom(Number(values.seed));

const service = await startKillableService({ ALLOW_PRIVATE_URLS: '1' });
const { api } = service;

async function createWorkflow(name, steps) {
  const [group] = await api('GET', '/v1/notification-groups');
  const body = { name, notificationGroupId: group._id, active: true, steps };
  return (await api('POST', '/v1/workflows', body)).triggers[0].identifier;
}

const wait = (type) => ({
  template: { type, content: '' },
  metadata: { type: 'regular', amount: WAIT_SECONDS, unit: 'seconds' },
});
const inApp = (content) => ({ template: { type: 'in_app', content } });

const smtp = fork(new URL('./support/smtp-server.mjs', import.meta.url));
const smtpPort = await new Promise((resolve) => smtp.once('message', (message) => resolve(message.port)));
await api('POST', '/v1/integrations', {
  providerId: 'nodemailer',
  channel: 'email',
  active: true,
  check: false,
  credentials: {
    host: '127.0.0.1',
    port: String(smtpPort),
    user: 'user',
    password: 'password',
    from: 'sender@example.com',
    senderName: 'Sender',
    ignoreTls: true,
  },
});
const workflows = {
  now: await createWorkflow('Crash now', [inApp('now {{n}}')]),
  delay: await createWorkflow('Crash delay', [wait('delay'), inApp('delay {{n}}')]),
  digest: await createWorkflow('Crash digest', [wait('digest'), inApp('digest {{#each step.events}}{{n}} {{/each}}')]),
  mail: await createWorkflow('Crash mail', [
    { template: { type: 'email', subject: 'mail {{n}}', contentType: 'customHtml', content: '<p>{{n}}</p>' } },
  ]),
};
const kinds = Object.keys(workflows);

/** Acknowledged events, by what they are for. */
const acknowledged = Object.fromEntries(kinds.map((kind) => [kind, new Set()]));
let next = 0;
async function client() {
  while (next < EVENTS) {
    const n = next++;
    const kind = kinds[n % kinds.length];
    const to = { subscriberId: `s${n % 20}`, email: `s${n % 20}@example.com` };
    const body = { name: workflows[kind], to, payload: { n }, transactionId: `t${n}` };
    for (;;) {
      const isAcknowledged = await api('POST', '/v1/events/trigger', body).then(
        () => true,
        () => false,
      );
      if (isAcknowledged) break;
      await sleep(100);
    }
    acknowledged[kind].add(n);
  }
}

let isDone = false;
const clients = Promise.all(Array.from({ length: 8 }, client)).then(() => (isDone = true));
let kills = 0;
async function killAndRestart() {
  service.kill('SIGKILL');
  kills += 1;
  await sleep(500);
  await service.restart();
}
while (kills < KILLS) {
  await sleep(500 + random() * 2_500);
  say(`kill ${kills + 1} after ${Math.min(next, EVENTS)} events${isDone ? ', all accepted' : ''}`);
  await killAndRestart();
}
await clients;
const restarted = Date.now();

/** Every in-app message, by what it says. */
async function delivered() {
  const found = Object.fromEntries(kinds.map((kind) => [kind, new Map()]));
  for (const content of await service.messages()) {
    const [kind, ...numbers] = content.split(' ');
    for (const n of numbers.map(Number)) found[kind].set(n, (found[kind].get(n) ?? 0) + 1);
  }
  const asked = new Promise((resolve) => smtp.once('message', (message) => resolve(message.counts)));
  smtp.send('counts');
  for (const [subject, count] of await asked) found.mail.set(Number(subject.split(' ')[1]), count);
  return found;
}

let found = await delivered();
const missing = () => kinds.flatMap((kind) => [...acknowledged[kind]].filter((n) => !found[kind].has(n)));
while (missing().length > 0 && Date.now() - restarted < CATCH_UP_MS) {
  await sleep(500);
  found = await delivered();
}
const seconds = ((Date.now() - restarted) / 1_000).toFixed(1);
const doubled = kinds.filter((kind) => kind !== 'mail').flatMap((kind) => [...found[kind]].filter(([, n]) => n > 1));
const mailsTwice = [...found.mail].filter(([, count]) => count > 1);
const tooOften = mailsTwice.filter(([, count]) => count > 1 + kills);
say(
  `${EVENTS} acknowledged, ${kills} kills: ${missing().length} missing ${seconds} s after the last start, ` +
    `${doubled.length} in-app doubled, ${mailsTwice.length} mails sent again`,
);
const isGood = missing().length === 0 && doubled.length === 0 && tooOften.length === 0;
if (!isGood) say(JSON.stringify({ missing: missing().slice(0, 20), doubled: doubled.slice(0, 20), tooOften }));
await service.close();
smtp.kill();
process.exit(isGood ? 0 : 1);
