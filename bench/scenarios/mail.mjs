// Mail by SMTP to a server on this machine, and what nodemailer alone sends to the same server.
import { once } from 'node:events';
import { bulkBodies, createSubscribers, createWorkflow, mail, smtpIntegration } from '../support/content.mjs';
import { startCommandProxy } from '../support/command-proxy.mjs';
import { startHerald } from '../support/herald.mjs';
import { load, nowMs } from '../support/load.mjs';
import { cpuMs, settle, startProcess, stopProcess, until } from '../support/processes.mjs';
import { figureOf } from '../support/report.mjs';
import { startSmtpServer } from '../support/smtp.mjs';
import { alternately, median } from '../support/statistics.mjs';
import { openStore } from '../support/stores.mjs';

const SUBSCRIBERS = 100;
/** With fewer, the first rounds measure how the program is compiled: the first thousand mails cost three times as much. */
const WARM_UP = 5_000;

export async function run({ settings: { rounds, mails } }) {
  const store = await openStore();
  const commands = await commandsPerMail(mails);
  const smtp = await startSmtpServer();
  const program = new URL('../baselines/mailer.mjs', import.meta.url).pathname;
  const alone = startProcess(process.execPath, [program, String(smtp.port)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let herald;
  try {
    await once(alone, 'message');
    herald = await startHerald({ uri: store.uriOf('herald') });
    const send = {
      herald: await bulkSender(herald, smtp),
      alone: async (count) => {
        const startedAt = nowMs();
        alone.send({ count });
        await once(alone, 'message');
        return startedAt;
      },
    };
    const contestants = { herald: herald.pids(), alone: [alone.pid] };
    const measure = async (pids, sender, count) => {
      await settle([...pids, ...store.pids]);
      const before = { cpu: cpuMs(pids), store: cpuMs(store.pids), mails: await smtp.total() };
      const startedAt = await send[sender](count);
      await until(async () => (await smtp.total()) >= before.mails + count, { what: `${count} mails` });
      const seconds = (nowMs() - startedAt) / 1_000;
      await settle([...pids, ...store.pids]);
      const [us, storeUs] = [cpuMs(pids) - before.cpu, cpuMs(store.pids) - before.store];
      return { perSecond: count / seconds, us: (us * 1_000) / count, storeUs: (storeUs * 1_000) / count };
    };
    await alternately(contestants, 1, (pids, sender) => measure(pids, sender, WARM_UP));
    const results = await alternately(contestants, rounds, (pids, sender) => measure(pids, sender, mails));
    const middle = (sender, key) => median(results[sender].map((round) => round[key])).toFixed(0);
    const own = `${middle('herald', 'us')} + ${middle('herald', 'storeUs')} µs of API and store`;
    const note = `${own}, ${commands.toFixed(2)} store commands; nodemailer ${middle('alone', 'us')} µs`;
    const reference = { name: 'nodemailer alone', rounds: results.alone };
    const figure = figureOf('mail by SMTP, bulk of 100', 'mails/s', results.herald, 'perSecond', reference);
    return { figures: [{ ...figure, note }], store: store.kind };
  } finally {
    await herald?.stop();
    await Promise.all([stopProcess(alone), smtp.stop()]);
    await store.close();
  }
}

/** Creates what mails need. @returns sends that many by bulk triggers, and says when it began */
async function bulkSender(herald, smtp) {
  await smtpIntegration(herald, smtp.port);
  await createSubscribers(herald, 's', SUBSCRIBERS);
  const name = await createWorkflow(herald, 'Mail', [mail('Number {{n}}', '<p>Hello {{subscriber.firstName}}</p>')]);
  return async (count) => {
    const bodies = bulkBodies(count, (n) => ({ name, to: `s${n % SUBSCRIBERS}`, payload: { n } }));
    const path = '/v1/events/trigger/bulk';
    const requests = bodies.map((body) => ({ method: 'POST', path, body: JSON.stringify(body) }));
    const { startedAt } = await load({ ...herald, requests, amount: requests.length, connections: 4 });
    return startedAt;
  };
}

/** In a pass of its own, behind a proxy that counts. */
async function commandsPerMail(mails) {
  const store = await openStore();
  const smtp = await startSmtpServer();
  const proxy = await startCommandProxy(store.uriOf('herald'));
  let herald;
  try {
    herald = await startHerald({ uri: proxy.uri });
    const send = await bulkSender(herald, smtp);
    const pass = async () => {
      const before = { commands: proxy.count(), mails: await smtp.total() };
      await send(mails);
      await until(async () => (await smtp.total()) >= before.mails + mails, { what: `${mails} mails` });
      await settle([...herald.pids(), ...store.pids]);
      return (proxy.count() - before.commands) / mails;
    };
    await pass();
    return await pass();
  } finally {
    await herald?.stop();
    await smtp.stop();
    proxy.close();
    await store.close();
  }
}
