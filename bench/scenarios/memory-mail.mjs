// Mails with large attachments by SMTP: the memory of Herald must stay flat however many they are.
import { randomBytes } from 'node:crypto';
import { createSubscribers, createWorkflow, mail, smtpIntegration } from '../support/content.mjs';
import { startHerald } from '../support/herald.mjs';
import { nowMs } from '../support/load.mjs';
import { residentMb, until } from '../support/processes.mjs';
import { startSmtpServer } from '../support/receivers.mjs';
import { median } from '../support/statistics.mjs';
import { openStore } from '../support/stores.mjs';

const CLIENTS = 4;
const PARTS = 10;
/** How far the last mails may be above those of the first half: what the collector has not come to yet. */
const GROWTH = { part: 1.15, mb: 20 };

export async function run({ settings: { mails, kilobytes }, say }) {
  const store = await openStore();
  const smtp = await startSmtpServer();
  let herald;
  try {
    herald = await startHerald({ uri: store.uriOf('herald') });
    await smtpIntegration(herald, smtp.port);
    await createSubscribers(herald, 's', CLIENTS);
    const name = await createWorkflow(herald, 'Mail', [mail('Number {{n}}', '<p>Hello {{subscriber.firstName}}</p>')]);
    const idle = residentMb(herald.pids());
    const startedAt = nowMs();
    let next = 0;
    const client = async (place) => {
      while (next < mails) {
        const n = next++;
        // No two are equal, so that no cache has them.
        const file = randomBytes(kilobytes * 1_024).toString('base64');
        const attachments = [{ name: `file-${n}.bin`, mime: 'application/octet-stream', file }];
        const body = { name, to: `s${place}`, payload: { n, attachments } };
        await herald.call('POST', '/v1/events/trigger', body);
      }
    };
    const clients = Promise.all(Array.from({ length: CLIENTS }, (_, place) => client(place)));
    const samples = [];
    for (let part = 1; part <= PARTS; part += 1) {
      const due = Math.ceil((mails * part) / PARTS);
      const within = [];
      const isDue = async () => {
        within.push(residentMb(herald.pids()));
        return (await smtp.total()) >= due;
      };
      await until(isDue, { everyMs: 100, what: `${due} mails` });
      samples.push({ median: median(within), most: Math.max(...within) });
      const { median: usual, most } = samples.at(-1);
      say(`${due} mails: ${usual.toFixed(0)} MB resident, ${most.toFixed(0)} MB at most`);
    }
    await clients;
    return { ...judged({ samples, idle, mails, seconds: (nowMs() - startedAt) / 1_000, say }), store: store.kind };
  } finally {
    await herald?.stop();
    await smtp.stop();
    await store.close();
  }
}

/** The first tenth warms up. */
function judged({ samples, idle, mails, seconds, say }) {
  const usual = samples.slice(1).map((sample) => sample.median);
  const half = Math.floor(usual.length / 2);
  const [before, after] = [median(usual.slice(0, half)), median(usual.slice(half))];
  const isGood = after <= Math.max(before * GROWTH.part, before + GROWTH.mb);
  if (!isGood) say(`It grows: from ${before.toFixed(0)} to ${after.toFixed(0)} MB.`);
  const figure = {
    name: 'memory while mails with attachments are sent',
    unit: 'MB',
    value: median(usual),
    low: Math.min(...usual),
    high: Math.max(...samples.map(({ most }) => most)),
    note: `${mails} mails in ${seconds.toFixed(0)} s; ${idle.toFixed(0)} MB before`,
  };
  return { figures: [figure], isGood };
}
