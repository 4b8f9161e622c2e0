// Chat and push over HTTP to a server on this machine, and what undici alone sends to the same server.
import { generateKeyPairSync } from 'node:crypto';
import { createSubscribers, createWorkflow } from '../support/content.mjs';
import { startHerald } from '../support/herald.mjs';
import { startHttpServer } from '../support/receivers.mjs';
import { figureOf } from '../support/report.mjs';
import { bulkSender, commandsPerMessage, costNote, sendingRounds, startBaseline } from '../support/sending.mjs';
import { openStore } from '../support/stores.mjs';

const SUBSCRIBERS = 100;
const KINDS = {
  chat: { name: 'chat by Discord, bulk of 100', path: 'hooks' },
  push: { name: 'push by FCM, bulk of 100', path: 'v1' },
};

export async function run({ settings: { rounds, messages } }) {
  const commands = await commandsPerMessage({ startReceiver: startHttpServer, settingsOf, sendersOf, count: messages });
  const store = await openStore();
  const receiver = await startHttpServer();
  let herald;
  let alone;
  try {
    alone = await startBaseline('caller.mjs', receiver.port);
    herald = await startHerald({ uri: store.uriOf('herald'), settings: settingsOf(receiver) });
    const senders = await sendersOf(herald, receiver);
    const results = {};
    for (const [kind, { path }] of Object.entries(KINDS)) {
      const contestants = {
        herald: { pids: herald.pids(), send: senders[kind] },
        // Herald comes first, so that there is a request to repeat.
        alone: {
          pids: [alone.pid],
          times: 10,
          send: async (count) => alone.send(count, { request: (await receiver.kinds()).get(path).latest }),
        },
      };
      results[kind] = await sendingRounds(contestants, { store, receiver, rounds, count: messages });
    }
    const figures = Object.entries(KINDS).map(([kind, { name }]) => {
      const reference = { name: 'undici alone', rounds: results[kind].alone };
      const figure = figureOf(name, 'messages/s', results[kind].herald, 'perSecond', reference);
      return { ...figure, note: costNote(results[kind].herald, commands[kind], { ...reference, name: 'undici' }) };
    });
    return { figures, store: store.kind };
  } finally {
    await herald?.stop();
    await Promise.all([alone?.stop(), receiver.stop()]);
    await store.close();
  }
}

const urlOf = ({ port }) => `http://127.0.0.1:${port}`;

/** FCM itself, and its tokens. Webhooks of Discord are addresses of the subscribers. */
function settingsOf(receiver) {
  return { PROVIDER_BASE_URLS: `fcm=${urlOf(receiver)}` };
}

/** Creates what chat and push need. */
async function sendersOf(herald, receiver) {
  await integration(herald, 'chat', 'discord', {});
  await integration(herald, 'push', 'fcm', { serviceAccount: serviceAccount() });
  await createSubscribers(herald, 's', SUBSCRIBERS);
  for (let n = 0; n < SUBSCRIBERS; n += 1) {
    const path = `/v1/subscribers/s${n}/credentials`;
    const webhookUrl = `${urlOf(receiver)}/hooks/${n}`;
    await herald.call('PUT', path, { providerId: 'discord', credentials: { webhookUrl } });
    await herald.call('PUT', path, { providerId: 'fcm', credentials: { deviceTokens: [`token-of-device-${n}`] } });
  }
  const content = 'Hello {{subscriber.firstName}}, this is number {{n}}';
  const names = {
    chat: await createWorkflow(herald, 'Chat', [{ template: { type: 'chat', content } }]),
    push: await createWorkflow(herald, 'Push', [{ template: { type: 'push', title: 'Number {{n}}', content } }]),
  };
  const senderOf = (name) => bulkSender(herald, (n) => ({ name, to: `s${n % SUBSCRIBERS}`, payload: { n } }));
  return { chat: senderOf(names.chat), push: senderOf(names.push) };
}

function integration({ call }, channel, providerId, credentials) {
  return call('POST', '/v1/integrations', { providerId, channel, active: true, check: false, credentials });
}

/** Of nobody: its key is as long as those that Google gives. */
function serviceAccount() {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return JSON.stringify({ project_id: 'bench', client_email: 'bench@example.com', private_key: privateKey });
}
