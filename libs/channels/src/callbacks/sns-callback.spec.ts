import { sign } from 'node:crypto';
import { jest } from '@jest/globals';
import type { OutboundHttp, OutboundRequest } from '../index.js';
import { SNS_CERTIFICATE, SNS_PRIVATE_KEY } from '../../test/sns-signing.js';
import { SnsCallback, isSnsUrl } from './sns-callback.js';

const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:ses-events';
const CERTIFICATE_URL = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem';

/** Stands for Amazon: serves the certificate and notes what is asked. */
class FakeAmazon implements OutboundHttp {
  readonly urls: string[] = [];
  status = 200;
  request({ url }: OutboundRequest): ReturnType<OutboundHttp['request']> {
    this.urls.push(url);
    return Promise.resolve({
      status: this.status,
      headers: {},
      isCut: false,
      text: SNS_CERTIFICATE,
      json: () => undefined,
    });
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}

function envelope(fields: Record<string, string>, version = '2'): { rawBody: Buffer } {
  const body: Record<string, string> = {
    MessageId: 'n-1',
    Timestamp: '2026-01-02T03:04:05.000Z',
    TopicArn: TOPIC,
    Type: 'Notification',
    Message: '{}',
    ...fields,
  };
  const text = Object.keys(body)
    .sort()
    .map((key) => `${key}\n${body[key]}\n`)
    .join('');
  const signature = sign(version === '2' ? 'sha256' : 'sha1', Buffer.from(text), SNS_PRIVATE_KEY).toString('base64');
  const signed = { SignatureVersion: version, SigningCertURL: CERTIFICATE_URL, Signature: signature };
  return { rawBody: Buffer.from(JSON.stringify({ ...body, ...signed })) };
}

function change({ rawBody }: { rawBody: Buffer }, fields: Record<string, string>): { rawBody: Buffer } {
  return { rawBody: Buffer.from(JSON.stringify({ ...(JSON.parse(rawBody.toString()) as object), ...fields })) };
}

describe('SnsCallback', () => {
  let amazon: FakeAmazon;
  let callback: SnsCallback;
  const credentials = { callbackSecret: TOPIC };

  beforeEach(() => {
    amazon = new FakeAmazon();
    callback = new SnsCallback(amazon);
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-01-02T03:05:00.000Z'));
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  describe('verify', () => {
    it.each(['1', '2'])('should accept signature version %s and fetch the certificate once', async (version) => {
      expect(await callback.verify(envelope({ Subject: 'S' }, version), credentials)).toBe(true);
      expect(await callback.verify(envelope({}, version), credentials)).toBe(true);
      expect(amazon.urls).toEqual([CERTIFICATE_URL]);
    });

    it('should confirm the subscription of the topic', async () => {
      const SubscribeURL = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=T';
      const request = envelope({ Type: 'SubscriptionConfirmation', Token: 'T', SubscribeURL });
      expect(await callback.verify(request, credentials)).toBe(true);
      expect(amazon.urls).toEqual([CERTIFICATE_URL, SubscribeURL]);
      expect(callback.parse(request)).toEqual([]);
    });

    it('should not visit a subscription URL elsewhere', async () => {
      const request = envelope({ Type: 'SubscriptionConfirmation', Token: 'T', SubscribeURL: 'https://evil.example/' });
      await callback.verify(request, credentials);
      expect(amazon.urls).toEqual([CERTIFICATE_URL]);
    });

    it('should refuse another topic although Amazon signed it', async () => {
      expect(await callback.verify(envelope({ TopicArn: `${TOPIC}-2` }), credentials)).toBe(false);
      expect(await callback.verify(envelope({}), {})).toBe(false);
      expect(amazon.urls).toEqual([]);
    });

    it.each([
      ['the message', { Message: '{"x":1}' }],
      ['the time', { Timestamp: '2026-01-02T03:04:06.000Z' }],
      ['the signature', { Signature: 'AAAA' }],
      ['the version', { SignatureVersion: '1' }],
    ])('should notice that %s was changed', async (_name, fields) => {
      expect(await callback.verify(change(envelope({}), fields), credentials)).toBe(false);
    });

    it.each([
      'https://sns.eu-west-1.amazonaws.com.evil.example/c.pem',
      'https://sns.eu-west-1.amazonaws.com/?Action=Publish&Message=x',
    ])('should not take %s for a certificate', async (SigningCertURL) => {
      expect(await callback.verify(change(envelope({}), { SigningCertURL }), credentials)).toBe(false);
      expect(amazon.urls).toEqual([]);
    });

    it('should say when the certificate cannot be had, so that the provider tries again', async () => {
      amazon.status = 503;
      await expect(callback.verify(envelope({}), credentials)).rejects.toMatchObject({ code: 'unavailable' });
    });

    it.each([
      ['more than a day old', '2026-01-03T04:04:06.000Z'],
      ['of the future', '2026-01-02T02:50:00.000Z'],
    ])('should refuse a notification that is %s', async (_name, now) => {
      jest.spyOn(Date, 'now').mockReturnValue(Date.parse(now));
      expect(await callback.verify(envelope({}), credentials)).toBe(false);
    });

    it('should refuse a body that is nonsense', async () => {
      expect(await callback.verify({ rawBody: Buffer.from('x') }, credentials)).toBe(false);
    });
  });

  describe('parse', () => {
    const parse = (message: object): unknown => callback.parse(envelope({ Message: JSON.stringify(message) }));
    const mail = { messageId: 'ses-1', timestamp: '2026-01-02T00:00:00.000Z', destination: ['a@b.example'] };

    it('should make an event of each bounced recipient', () => {
      const bounce = {
        bounceType: 'Permanent',
        timestamp: '2026-01-02T03:04:05.000Z',
        bouncedRecipients: [
          { emailAddress: 'a@b.example', diagnosticCode: 'smtp; 550' },
          { emailAddress: 'c@d.example' },
        ],
      };
      const at = new Date('2026-01-02T03:04:05.000Z');
      expect(parse({ notificationType: 'Bounce', mail, bounce })).toEqual([
        {
          messageIdentifier: 'ses-1',
          status: 'bounced',
          at,
          recipient: 'a@b.example',
          response: 'smtp; 550',
          hardBounce: true,
        },
        { messageIdentifier: 'ses-1', status: 'bounced', at, recipient: 'c@d.example', hardBounce: true },
      ]);
    });

    it.each([
      [
        { eventType: 'Delivery', delivery: { recipients: ['a@b.example'], smtpResponse: '250 ok' } },
        { status: 'delivered', recipient: 'a@b.example', response: '250 ok' },
      ],
      [
        { eventType: 'Complaint', complaint: { complainedRecipients: [{ emailAddress: 'a@b.example' }] } },
        { status: 'complaint', recipient: 'a@b.example' },
      ],
      [
        { eventType: 'Open', open: {} },
        { status: 'opened', recipient: 'a@b.example' },
      ],
      [
        {
          eventType: 'Bounce',
          bounce: { bounceType: 'Transient', bouncedRecipients: [{ emailAddress: 'a@b.example' }] },
        },
        { status: 'bounced', recipient: 'a@b.example' },
      ],
    ])('should read %o', (event, expected) => {
      const at = new Date(mail.timestamp);
      expect(parse({ ...event, mail })).toEqual([{ messageIdentifier: 'ses-1', at, ...expected }]);
    });

    it('should leave out unknown kinds', () => {
      expect(parse({ eventType: 'Something', mail })).toEqual([]);
    });
  });
});

describe('isSnsUrl', () => {
  it.each([
    ['https://sns.eu-west-1.amazonaws.com/x.pem', true],
    ['https://sns.cn-north-1.amazonaws.com.cn/x.pem', true],
    ['http://sns.eu-west-1.amazonaws.com/x.pem', false],
    ['https://evil.example/sns.eu-west-1.amazonaws.com/x.pem', false],
    ['https://sns.eu-west-1.amazonaws.com@evil.example/x.pem', false],
    ['https://bucket.s3.amazonaws.com/x.pem', false],
    ['https://sns.eu-west-1.amazonaws.com:8443/x.pem', false],
    [undefined, false],
  ])('should answer for %s: %s', (url, expected) => {
    expect(isSnsUrl(url)).toBe(expected);
  });
});
