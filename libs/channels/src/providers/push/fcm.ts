import type { ChannelProvider, SendContext } from '../../core/provider.js';
import type { Verdict } from '../../declarative/answer.js';
import type { CredentialReader } from '../../declarative/credential-reader.js';
import { bearer, type HttpCall } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { at, textAt } from '../../declarative/json-path.js';
import { assertLength } from '../../declarative/limits.js';
import { fcmMessage } from './fcm-message.js';
import { parseServiceAccount } from '../../core/service-account.js';
import { GoogleTokens } from '../../declarative/google-token.js';

function fcmCode(json: unknown): string | undefined {
  const details = at(json, 'error.details');
  if (!Array.isArray(details)) return undefined;
  return details.map((detail: unknown) => textAt(detail, 'errorCode')).find((code) => code !== undefined);
}

function verdict(json: unknown, _answer: unknown, targets: readonly string[]): Verdict | undefined {
  const code = fcmCode(json);
  const message = textAt(json, 'error.message') ?? '';
  const dead = code === 'UNREGISTERED' || (code === 'INVALID_ARGUMENT' && /registration token/i.test(message));
  if (dead) return { message, code: 'invalid_target', retryable: false, invalidTokens: targets };
  if (code === 'SENDER_ID_MISMATCH') return { message, code: 'invalid_target', retryable: false };
  return undefined;
}

/** Of what reaches the device: the texts of notification and data, and the names of the data. */
const MAX_BYTES = 4_096;

function textBytes(message: object): number {
  const { notification, data } = message as { notification?: object; data?: object };
  const texts: unknown[] = [notification ?? {}, data ?? {}].flatMap((part: object) => Object.values(part) as unknown[]);
  texts.push(...Object.keys(data ?? {}));
  return texts.reduce<number>((sum, text) => sum + Buffer.byteLength(typeof text === 'string' ? text : ''), 0);
}

/** Firebase Cloud Messaging, HTTP v1: one token per request. */
export function createFcm(): ChannelProvider {
  const tokens = new GoogleTokens();
  const call = async (c: CredentialReader, context: SendContext, json: object): Promise<HttpCall> => {
    const account = parseServiceAccount(c('serviceAccount'));
    return {
      method: 'POST',
      path: `/v1/projects/${encodeURIComponent(account.projectId)}/messages:send`,
      headers: { authorization: bearer(await tokens.get(account, context)) },
      json,
    };
  };
  return defineHttpProvider({
    id: 'fcm',
    channel: 'push',
    base: 'https://fcm.googleapis.com',
    targetsPerRequest: 1,
    request: ({ message, c, context }) => {
      const sent = fcmMessage(message);
      assertLength(textBytes(sent), MAX_BYTES, 'bytes');
      return call(c, context, { message: { token: message.target[0], ...sent } });
    },
    answer: { id: 'name', error: ['error.message'], verdict },
    check: (c, context) =>
      call(c, context, {
        validate_only: true,
        message: { topic: 'herald-check', notification: { title: 'Herald', body: 'Check' } },
      }),
  });
}
