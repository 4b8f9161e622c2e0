// Mail by SMTP to a server on this machine, and what nodemailer alone sends to the same server.
import { once } from 'node:events';
import { bulkBodies, createSubscribers, createWorkflow, mail, smtpIntegration } from '../support/content.mjs';
import { startHerald } from '../support/herald.mjs';
import { load, nowMs } from '../support/load.mjs';
import { cpuMs, settle, startProcess, stopProcess, until } from '../support/processes.mjs';
import { figureOf } from '../support/report.mjs';
import { startSmtpServer } from '../support/smtp.mjs';
import { alternately, median } from '../support/statistics.mjs';
import { openStore } from '../support/stores.mjs';

const SUBSCRIBERS = 100;
const WARM_UP = 100;

export async function run({ settings: { rounds, mails } }) {
  const store = await openStore();
  const smtp = await startSmtpServer();
  const program = new URL('../baselines/mailer.mjs', import.meta.url).pathname;
  const alone = startProcess(process.execPath, [program, String(smtp.port)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let herald;
  try {
    await once(alone, 'message');
    herald = await startHerald({ uri: store.uriOf('herald') });
    await smtpIntegration(herald, smtp.port);
    await createSubscribers(herald, 's', SUBSCRIBERS);
    const name = await createWorkflow(herald, 'Mail', [mail('Number {{n}}', '<p>Hello {{subscriber.firstName}}</p>')]);
    const send = {
      herald: async (count) => {
        const bodies = bulkBodies(count, (n) => ({ name, to: `s${n % SUBSCRIBERS}`, payload: { n } }));
        const requests = bodies.map((body) => ({
          method: 'POST',
          path: '/v1/events/trigger/bulk',
          body: JSON.stringify(body),
        }));
        const { startedAt } = await load({ ...herald, requests, amount: requests.length, connections: 4 });
        return startedAt;
      },
      alone: async (count) => {
        const startedAt = nowMs();
        alone.send({ count });
        await once(alone, 'message');
        return startedAt;
      },
    };
    const contestants = { herald: herald.pids(), alone: [alone.pid] };
    const measure = async (pids, sender, count) => {
      await settle(pids);
      const before = { cpu: cpuMs(pids), mails: await smtp.total() };
      const startedAt = await send[sender](count);
      await until(async () => (await smtp.total()) >= before.mails + count, { what: `${count} mails` });
      const seconds = (nowMs() - startedAt) / 1_000;
      await settle(pids);
      return { perSecond: count / seconds, us: ((cpuMs(pids) - before.cpu) * 1_000) / count };
    };
    await alternately(contestants, 1, (pids, sender) => measure(pids, sender, WARM_UP));
    const results = await alternately(contestants, rounds, (pids, sender) => measure(pids, sender, mails));
    const [own, other] = [results.herald, results.alone].map((values) => median(values.map(({ us }) => us)).toFixed(0));
    const reference = { name: 'nodemailer alone', rounds: results.alone };
    const figure = figureOf('mail by SMTP, bulk of 100', 'mails/s', results.herald, 'perSecond', reference);
    return { figures: [{ ...figure, note: `${own} µs of the API, nodemailer ${other} µs` }], store: store.kind };
  } finally {
    await herald?.stop();
    await Promise.all([stopProcess(alone), smtp.stop()]);
    await store.close();
  }
}
