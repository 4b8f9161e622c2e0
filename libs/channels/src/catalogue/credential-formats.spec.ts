import { generateKeyPairSync } from 'node:crypto';
import { generateVAPIDKeys } from 'web-push';
import { findProvider, isWebUrl, malformedCredentials } from '../index.js';

const { publicKey, privateKey } = generateVAPIDKeys();
const APNS = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });
const account = (key: string): string => JSON.stringify({ project_id: 'p', client_email: 'e', private_key: key });
/** With line breaks, and as they stand in variables of the environment. */
const [PEM, PASTED] = [String(APNS), String(APNS).replaceAll('\n', '\\n')];

/** What a worker could use, and what it could not, by provider and key. */
const CASES: [provider: string, key: string, good: readonly string[], bad: readonly string[]][] = [
  [
    'nodemailer',
    'host',
    ['mail.example.com', '127.0.0.1', '::1', 'localhost'],
    ['mail example.com', 'smtp://mail', 'a/b'],
  ],
  ['nodemailer', 'port', ['25', '65535'], ['0', '65536']],
  ['nodemailer', 'from', ['a@example.com', 'A <a@example.com>'], ['nobody', 'a@example.com, b@example.com', 'a b@c.d']],
  ['kannel', 'host', ['gateway.example'], ['http://gateway.example', 'gate way']],
  ['mailgun', 'baseUrl', ['https://api.eu.mailgun.net'], ['api.eu.mailgun.net', 'ftp://api.eu', 'https://a b']],
  ['infobip-sms', 'baseUrl', ['x.api.infobip.com', 'https://x.api.infobip.com'], ['x y.api.infobip.com']],
  ['push-webhook', 'webhookUrl', ['http://10.0.0.1/x'], ['10.0.0.1/x', 'ftp://10.0.0.1']],
  ['sendgrid', 'apiKey', ['SG.x-y_z', 'with a blank'], ['SG.x\ny', 'schlüssel']],
  ['fcm', 'serviceAccount', [account(PEM), account(PASTED)], ['no json', '{}', '{"project_id":"p"}', account('k')]],
  ['apns', 'secretKey', [PEM, PASTED], ['no key', '-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----']],
  ['web-push', 'applicationId', [publicKey], ['short', privateKey]],
  ['web-push', 'secretKey', [privateKey], ['short', publicKey]],
];

describe.each(CASES)('credentials of %s: %s', (providerId, key, good, bad) => {
  const faults = (value: string): string[] => {
    const provider = findProvider(providerId);
    return provider === undefined ? ['unknown'] : malformedCredentials(provider, { [key]: value });
  };

  it.each(good)('should be taken: %j', (value) => {
    expect(faults(value)).toEqual([]);
  });

  it.each(bad)('should be refused without being repeated: %j', (value) => {
    const [fault = ''] = faults(value);
    expect(fault).toMatch(new RegExp(`^credentials\\.${key} must be `));
    expect(fault).not.toContain(value);
  });
});

describe('isWebUrl', () => {
  it.each(['https://chat.example.com/hooks/ada', 'http://127.0.0.1:1/x?a=1', 'tgram://bot/chat'])(
    'should take %s',
    (url) => {
      expect(isWebUrl(url)).toBe(true);
    },
  );

  it.each(['chat.example.com/hooks', '//chat.example.com', 'https://', 'https://a b', 'mailto:a@b.example', ''])(
    'should refuse %j',
    (url) => {
      expect(isWebUrl(url)).toBe(false);
    },
  );
});
