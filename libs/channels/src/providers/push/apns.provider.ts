import { createHash } from 'node:crypto';
import { constants } from 'node:http2';
import { LRUCache } from 'lru-cache';
import { keyText } from '../../core/service-account.js';
import { findProvider, missingCredentials } from '../../catalogue/catalogue.js';
import type { OutboundMessage, PushMessage } from '../../core/messages.js';
import { ProviderError } from '../../errors/provider-error.js';
import type { ChannelProvider, SendContext, SendResult } from '../../core/provider.js';
import { readAnswer, type AnswerSpec, type Verdict } from '../../declarative/answer.js';
import { sendInChunks } from '../../declarative/chunks.js';
import { credentialReader, type CredentialReader } from '../../declarative/credential-reader.js';
import { assertLength } from '../../declarative/limits.js';
import { textAt } from '../../declarative/json-path.js';
import { PASSING } from '../../declarative/verdicts.js';
import { apnsHeaders, apnsPayload } from './apns-payload.js';
import { ApnsSessions } from './apns-session.js';

const PRODUCTION = 'https://api.push.apple.com';
const SANDBOX = 'https://api.sandbox.push.apple.com';
/** Apple requires a new token at least every hour, and at most every 20 minutes. */
const TOKEN_MS = 45 * 60_000;
/** Of the JSON; one more kilobyte for calls (`voip`), which Herald does not make. */
const MAX_BYTES = 4_096;
const DEAD = new Set(['BadDeviceToken', 'Unregistered', 'ExpiredToken']);

function verdict(json: unknown, { status }: { status: number }, targets: readonly string[]): Verdict | undefined {
  const reason = textAt(json, 'reason');
  if (status === 200 || reason === undefined) return undefined;
  if (DEAD.has(reason)) return { code: 'invalid_target', retryable: false, invalidTokens: targets };
  if (reason === 'DeviceTokenNotForTopic') return { code: 'invalid_target', retryable: false };
  // The connection was idle for too long: the next one is another.
  if (reason === 'IdleTimeout') return PASSING;
  return reason === 'ExpiredProviderToken' ? { code: 'unauthorized', retryable: true } : undefined;
}

const ANSWER: AnswerSpec = { id: 'header:apns-id', error: ['reason'], verdict };

function incomplete(reason: string): ProviderError {
  return new ProviderError(`The integration of 'apns' is incomplete: ${reason}.`, {
    code: 'credentials_incomplete',
    retryable: false,
  });
}

/** Apple Push Notification service with token authentication: one HTTP/2 request per device token. */
export class ApnsProvider implements ChannelProvider {
  readonly id = 'apns';
  readonly channel = 'push';
  private readonly sessions = new ApnsSessions();
  private readonly tokens = new LRUCache<string, { jwt: string; until: number }>({ max: 100 });

  send(message: OutboundMessage, context: SendContext): Promise<SendResult> {
    if (message.channel !== 'push') {
      throw new ProviderError("Provider 'apns' sends push only.", { code: 'message_incomplete', retryable: false });
    }
    const declaration = findProvider('apns', 'push');
    const faults = declaration ? missingCredentials(declaration, context.credentials) : [];
    if (faults.length > 0) throw incomplete(faults.join('; '));
    return sendInChunks(message, 1, (part) => this.sendOne(part, context));
  }

  destroy(): Promise<void> {
    this.sessions.close();
    return Promise.resolve();
  }

  private async sendOne(message: PushMessage, context: SendContext): Promise<SendResult> {
    const c = credentialReader(context.credentials);
    const token = message.target[0] ?? '';
    const origin = context.baseUrl ?? (c.flag('secure') ? PRODUCTION : SANDBOX);
    const key = sessionKey(c, origin);
    const headers = {
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: `/3/device/${encodeURIComponent(token)}`,
      authorization: `bearer ${await this.jwt(key, c, context.now())}`,
      'content-type': 'application/json',
      ...apnsHeaders(message, c('applicationId'), context.idempotencyKey, token),
    };
    const payload = apnsPayload(message);
    assertLength(Buffer.byteLength(payload), MAX_BYTES, 'bytes');
    const answer = await this.sessions.request(key, origin, headers, payload, context.signal, () =>
      context.handover.begin(),
    );
    if (answer.status === 403) this.tokens.delete(key);
    return readAnswer(answer, ANSWER, { providerId: this.id, now: context.now(), targets: [token] });
  }

  private async jwt(key: string, c: CredentialReader, now: Date): Promise<string> {
    const known = this.tokens.get(key);
    if (known && known.until > now.getTime()) return known.jwt;
    const { SignJWT, importPKCS8 } = await import('jose');
    const privateKey = await importPKCS8(keyText(c('secretKey')), 'ES256').catch(() => {
      throw incomplete('credentials.secretKey must be the text of the .p8 key file');
    });
    const jwt = await new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: c('apiKey') })
      .setIssuer(c('projectName'))
      .setIssuedAt(Math.floor(now.getTime() / 1_000))
      .sign(privateKey);
    this.tokens.set(key, { jwt, until: now.getTime() + TOKEN_MS });
    return jwt;
  }
}

function sessionKey(c: CredentialReader, origin: string): string {
  const parts = [origin, c('projectName'), c('apiKey'), c('secretKey')];
  return createHash('sha256').update(parts.join('\n')).digest('base64');
}
