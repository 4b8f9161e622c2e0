import { parseForeignJson } from '#libs/common';
import type { PushSubscription } from 'web-push';
import type { PushMessage } from '../../core/messages.js';
import type { SendContext } from '../../core/provider.js';
import type { Verdict } from '../../declarative/answer.js';
import type { CredentialReader } from '../../declarative/credential-reader.js';
import type { HttpCall } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { textAt } from '../../declarative/json-path.js';
import { ProviderError } from '../../errors/provider-error.js';
import { collapseKey, digestTopic, TOPIC, without } from './push-fields.js';

/** Push services accept bodies of 4,096 bytes, of which the encryption takes 103. */
const MAX_PAYLOAD_BYTES = 3_993;
const ENCODING = 'aes128gcm';
const DEFAULT_TTL_SECONDS = 28 * 86_400;
const URGENCIES: readonly string[] = ['very-low', 'low', 'normal', 'high'];
type WebPush = typeof import('web-push');

/** The subscription has ended: its user revoked it, or the browser replaced it. */
const GONE = new Set([404, 410]);

function verdict(_json: unknown, { status }: { status: number }, targets: readonly string[]): Verdict | undefined {
  return GONE.has(status) ? { code: 'invalid_target', retryable: false, invalidTokens: targets } : undefined;
}

/** The subscription of a browser, which is the device token as JSON. @throws {ProviderError} which names it as invalid */
function subscriptionOf(token: string): PushSubscription {
  try {
    const parsed = parseForeignJson(token);
    const endpoint = textAt(parsed, 'endpoint');
    const [p256dh, auth] = [textAt(parsed, 'keys.p256dh'), textAt(parsed, 'keys.auth')];
    if (endpoint !== undefined && p256dh !== undefined && auth !== undefined) {
      return { endpoint, keys: { p256dh, auth } };
    }
  } catch {
    // Refused below.
  }
  throw notASubscription(token);
}

function notASubscription(token: string): ProviderError {
  return new ProviderError(
    "A device token of 'web-push' must be the JSON of a browser's push subscription, with endpoint and keys.",
    { code: 'invalid_target', retryable: false, invalidTokens: [token] },
  );
}

/** Browsers show no more buttons. */
const MAX_ACTIONS = 2;

/** A question has its page and a button for each answer; the long text of it is left out, because the page has it. */
function askingPart({ payload, answers }: PushMessage): Record<string, unknown> {
  if (answers === undefined) return { data: payload };
  const { url, options } = answers;
  const asked = payload['question'];
  const question = typeof asked === 'object' && { ...asked, body: undefined };
  const shown = options.length <= MAX_ACTIONS ? options : [];
  return {
    data: { url, ...payload, question, answerUrl: url, answers: shown.map(({ id }) => id) },
    actions: shown.map(({ id, label }) => ({ action: id, title: label })),
  };
}

/** What the service worker gets as JSON: overrides are options of the notification. */
function payloadOf(message: PushMessage): string {
  const { id, title, content, overrides } = message;
  const options = without(overrides, 'deviceTokens', 'ttl', 'urgency', 'topic');
  const text = JSON.stringify({
    id,
    title,
    body: content,
    ...askingPart(message),
    tag: collapseKey(message),
    ...options,
  });
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_PAYLOAD_BYTES) return text;
  throw new ProviderError(
    `The push message has ${bytes} bytes, and push services accept ${MAX_PAYLOAD_BYTES}. Shorten it, or replace the payload of the event by overrides.web-push.data.`,
    { code: 'rejected', retryable: false },
  );
}

/** A repeat with the same topic replaces a message that the browser has not fetched yet. */
function topicOf({ idempotencyKey }: SendContext): string | undefined {
  return idempotencyKey === '' ? undefined : digestTopic(idempotencyKey);
}

function headersOf(message: PushMessage, context: SendContext): HttpCall['headers'] {
  const { ttl, urgency, topic = collapseKey(message) } = message.overrides ?? {};
  return {
    'content-type': 'application/octet-stream',
    'content-encoding': ENCODING,
    ttl: String(typeof ttl === 'number' && ttl >= 0 ? Math.floor(ttl) : DEFAULT_TTL_SECONDS),
    urgency: typeof urgency === 'string' && URGENCIES.includes(urgency) ? urgency : 'normal',
    topic: typeof topic === 'string' && TOPIC.test(topic) ? topic : topicOf(context),
  };
}

/** Proves to the push service that the message comes from the owner of the subscription's key. */
function authorization({ getVapidHeaders }: WebPush, { endpoint }: PushSubscription, c: CredentialReader): string {
  const { origin } = URL.canParse(endpoint) ? new URL(endpoint) : { origin: endpoint };
  try {
    return getVapidHeaders(origin, c('from'), c('applicationId'), c('secretKey'), ENCODING).Authorization;
  } catch (error) {
    throw new ProviderError(`The integration of 'web-push' is not valid: ${(error as Error).message}`, {
      code: 'credentials_incomplete',
      retryable: false,
    });
  }
}

function encrypted({ encrypt }: WebPush, { keys }: PushSubscription, text: string, token: string): Uint8Array {
  try {
    return encrypt(keys.p256dh, keys.auth, text, ENCODING).cipherText;
  } catch {
    throw notASubscription(token);
  }
}

/** Web Push (RFC 8030) with VAPID: one encrypted request to the push service of each browser. */
export const webPush = defineHttpProvider({
  id: 'web-push',
  channel: 'push',
  needs: ['applicationId', 'secretKey', 'from'],
  targetsPerRequest: 1,
  request: async ({ message, c, context }) => {
    const token = message.target[0] ?? '';
    const subscription = subscriptionOf(token);
    // Loaded on demand: few installations use it.
    const library = (await import('web-push')).default;
    return {
      url: subscription.endpoint,
      headers: { authorization: authorization(library, subscription, c), ...headersOf(message, context) },
      bytes: encrypted(library, subscription, payloadOf(message), token),
    };
  },
  answer: { id: 'header:location', idIsOptional: true, error: ['message', 'reason', 'error'], verdict },
});
