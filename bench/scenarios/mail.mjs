// Mail by SMTP to a server on this machine, and what nodemailer alone sends to the same server.
import { createSubscribers, createWorkflow, mail, smtpIntegration } from '../support/content.mjs';
import { startHerald } from '../support/herald.mjs';
import { startSmtpServer } from '../support/receivers.mjs';
import { figureOf } from '../support/report.mjs';
import { bulkSender, commandsPerMessage, costNote, sendingRounds, startBaseline } from '../support/sending.mjs';
import { openStore } from '../support/stores.mjs';

const SUBSCRIBERS = 100;

export async function run({ settings: { rounds, mails } }) {
  const commands = await commandsPerMessage({ startReceiver: startSmtpServer, sendersOf, count: mails });
  const store = await openStore();
  const smtp = await startSmtpServer();
  let herald;
  let alone;
  try {
    alone = await startBaseline('mailer.mjs', smtp.port);
    herald = await startHerald({ uri: store.uriOf('herald') });
    const senders = await sendersOf(herald, smtp);
    const contestants = {
      herald: { pids: herald.pids(), send: senders.mail },
      alone: { pids: [alone.pid], send: alone.send },
    };
    const results = await sendingRounds(contestants, { store, receiver: smtp, rounds, count: mails });
    const reference = { name: 'nodemailer alone', rounds: results.alone };
    const figure = figureOf('mail by SMTP, bulk of 100', 'mails/s', results.herald, 'perSecond', reference);
    const note = costNote(results.herald, commands.mail, { name: 'nodemailer', rounds: results.alone });
    return { figures: [{ ...figure, note }], store: store.kind };
  } finally {
    await herald?.stop();
    await Promise.all([alone?.stop(), smtp.stop()]);
    await store.close();
  }
}

/** Creates what mails need. */
async function sendersOf(herald, smtp) {
  await smtpIntegration(herald, smtp.port);
  await createSubscribers(herald, 's', SUBSCRIBERS);
  const name = await createWorkflow(herald, 'Mail', [mail('Number {{n}}', '<p>Hello {{subscriber.firstName}}</p>')]);
  return { mail: bulkSender(herald, (n) => ({ name, to: `s${n % SUBSCRIBERS}`, payload: { n } })) };
}
