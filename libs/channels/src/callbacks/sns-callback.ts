import { X509Certificate, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ProviderError } from '../errors/provider-error.js';
import type { CallbackEvent, ProviderCallback } from '../core/provider.js';
import { at, textAt } from '../declarative/json-path.js';
import type { OutboundHttp } from '../http/outbound-http.types.js';
import { jsonBody, jsonOrNothing, readEvents } from './callback-events.js';
import { isRecent, sameText, secretOf, verifies } from './signature.js';

const NOTIFICATION_KEYS = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];
const CONFIRMATION_KEYS = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
const CERTIFICATE_MS = 24 * 60 * 60_000;
/** SNS retries for some hours. */
const MAX_AGE_S = 25 * 3_600;

export function isSnsUrl(url: string | undefined): url is string {
  if (url === undefined || !URL.canParse(url)) return false;
  const { protocol, hostname, port, username } = new URL(url);
  const host = /^sns\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/;
  return protocol === 'https:' && port === '' && username === '' && host.test(hostname);
}

function signedText(envelope: unknown): string {
  const keys = textAt(envelope, 'Type') === 'Notification' ? NOTIFICATION_KEYS : CONFIRMATION_KEYS;
  return keys
    .filter((key) => at(envelope, key) !== undefined)
    .map((key) => `${key}\n${textAt(envelope, key) ?? ''}\n`)
    .join('');
}

/**
 * Amazon SES through SNS. `callbackSecret` is the ARN of the topic: a signature only proves some topic of some AWS
 * account. Confirms subscriptions of that topic.
 */
export class SnsCallback implements ProviderCallback {
  /** A message of 256 kB, with its quotes escaped. */
  readonly maxBytes = 512 * 1_024;
  private readonly certificates = new LRUCache<string, KeyObject>({ max: 20, ttl: CERTIFICATE_MS });

  constructor(private readonly http: OutboundHttp) {}

  async verify(request: { rawBody: Buffer }, credentials: Readonly<Record<string, unknown>>): Promise<boolean> {
    const topic = secretOf(credentials, 'callbackSecret');
    const envelope = jsonOrNothing(request);
    const given = textAt(envelope, 'TopicArn');
    if (topic === undefined || given === undefined || !sameText(topic, given)) return false;
    const sentAt = Date.parse(textAt(envelope, 'Timestamp') ?? '');
    if (!isRecent(String(sentAt / 1_000), MAX_AGE_S) || !(await this.isSigned(envelope))) return false;
    if (textAt(envelope, 'Type') === 'SubscriptionConfirmation') await this.confirm(textAt(envelope, 'SubscribeURL'));
    return true;
  }

  parse(request: { rawBody: Buffer }): CallbackEvent[] {
    const envelope = jsonBody(request);
    if (textAt(envelope, 'Type') !== 'Notification') return [];
    const event = jsonBody({ rawBody: Buffer.from(textAt(envelope, 'Message') ?? '') });
    return readEvents(perRecipient(event), {
      id: 'mail.messageId',
      kind: 'kind',
      kinds: {
        Send: 'sent',
        Delivery: 'delivered',
        Bounce: 'bounced',
        Complaint: 'complaint',
        Reject: 'rejected',
        Open: 'opened',
        Click: 'clicked',
        DeliveryDelay: 'delayed',
        'Rendering Failure': 'dropped',
        Subscription: 'unsubscribed',
      },
      at: ['details.timestamp', 'mail.timestamp'],
      recipient: ['recipient.emailAddress', 'recipient'],
      response: ['recipient.diagnosticCode', 'details.smtpResponse', 'details.reason', 'details.complaintFeedbackType'],
      hardBounce: (item) => textAt(item, 'kind') === 'Bounce' && textAt(item, 'details.bounceType') === 'Permanent',
    });
  }

  private async isSigned(envelope: unknown): Promise<boolean> {
    const url = textAt(envelope, 'SigningCertURL');
    // Certificates are files. Other URLs of the service echo parts of the request.
    const key = isSnsUrl(url) && new URL(url).pathname.endsWith('.pem') ? await this.publicKey(url) : undefined;
    const algorithm = textAt(envelope, 'SignatureVersion') === '2' ? 'sha256' : 'sha1';
    const signature = Buffer.from(textAt(envelope, 'Signature') ?? '', 'base64');
    return verifies(algorithm, Buffer.from(signedText(envelope)), key, signature);
  }

  /** @throws {ProviderError} if the service does not return the certificate */
  private async publicKey(url: string): Promise<KeyObject | undefined> {
    const known = this.certificates.get(url);
    if (known) return known;
    const answer = await this.http.request({ url, timeoutMs: 5_000 });
    if (answer.status !== 200) {
      throw new ProviderError(`The certificate of SNS could not be fetched (HTTP ${answer.status}).`, {
        code: 'unavailable',
        retryable: true,
        statusCode: answer.status,
      });
    }
    const publicKey = publicKeyOf(answer.text);
    if (publicKey) this.certificates.set(url, publicKey);
    return publicKey;
  }

  private async confirm(url: string | undefined): Promise<void> {
    if (isSnsUrl(url)) await this.http.request({ url, timeoutMs: 5_000 });
  }
}

function publicKeyOf(certificate: string): KeyObject | undefined {
  try {
    return new X509Certificate(certificate).publicKey;
  } catch {
    return undefined;
  }
}

const DETAILS: Readonly<Record<string, [details: string, recipients: string]>> = {
  Bounce: ['bounce', 'bouncedRecipients'],
  Complaint: ['complaint', 'complainedRecipients'],
  Delivery: ['delivery', 'recipients'],
  DeliveryDelay: ['deliveryDelay', 'delayedRecipients'],
  Reject: ['reject', ''],
  Open: ['open', ''],
  Click: ['click', ''],
  Send: ['send', ''],
};

function perRecipient(event: unknown): unknown[] {
  const kind = textAt(event, 'eventType') ?? textAt(event, 'notificationType') ?? '';
  const [name, list] = DETAILS[kind] ?? ['', ''];
  const details = at(event, name);
  const recipients = list === '' ? at(event, 'mail.destination') : at(details, list);
  const base = { kind, mail: at(event, 'mail'), details };
  if (!Array.isArray(recipients) || recipients.length === 0) return [base];
  return recipients.map((recipient: unknown) => ({ ...base, recipient }));
}
