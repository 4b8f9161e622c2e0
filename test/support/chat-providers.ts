import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import request, { type Test } from 'supertest';
import type { TestApi } from '../harness/index.js';
import type { Answer } from './provider-sink.js';

/** What the services of chats know: their tokens, and what they sign with. */
export const SLACK = { apiToken: 'xoxb-1', callbackSecret: 'slack-signing-secret' };
export const TELEGRAM = { apiToken: '123:abc', callbackSecret: 'telegram-secret' };
const keys = generateKeyPairSync('ed25519');
export const DISCORD = {
  apiToken: 'discord-bot',
  callbackSecret: keys.publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('hex'),
};

/** Takes messages of all three, and gives each an id of its own. */
export function chatServices(): Answer {
  let last = 0;
  return (path, body, response) => {
    last += 1;
    const sent = JSON.parse(body) as { ts?: string; channel?: string; chat_id?: string; message_id?: number };
    const answer = path.startsWith('/chat.')
      ? { ok: true, channel: sent.channel, ts: sent.ts ?? String(last) }
      : path.startsWith('/bot')
        ? { ok: true, result: { message_id: sent.message_id ?? last, chat: { id: Number(sent.chat_id) } } }
        : { id: String(last), channel_id: path.split('/')[2] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  };
}

export interface Call {
  readonly body: string;
  readonly headers: Record<string, string>;
}

const nowS = (): string => String(Math.floor(Date.now() / 1_000));

/** As Slack calls: https://docs.slack.dev/authentication/verifying-requests-from-slack */
export function slackCall(payload: object, at = nowS(), secret = SLACK.callbackSecret): Call {
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const signature = createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex');
  return {
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': at,
      'x-slack-signature': `v0=${signature}`,
    },
  };
}

export function telegramCall(update: object, secret = TELEGRAM.callbackSecret): Call {
  const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret };
  return { body: JSON.stringify(update), headers };
}

/** As Discord calls: https://discord.com/developers/docs/interactions/overview */
export function discordCall(interaction: object, at = nowS()): Call {
  const body = JSON.stringify(interaction);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-signature-timestamp': at,
      'x-signature-ed25519': sign(null, Buffer.from(at + body), keys.privateKey).toString('hex'),
    },
  };
}

export function callHerald(api: TestApi, integrationId: string, { body, headers }: Call): Test {
  return request(api.url).post(`/v1/provider-callbacks/${integrationId}`).set(headers).send(body);
}
