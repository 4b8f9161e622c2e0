import { createHmac, createSign, generateKeyPairSync, sign } from 'node:crypto';

const URL_CALLED = 'https://herald.example/v1/provider-callbacks/1?x=1';
const JSON_BODIES = ['{"a":1}', '{"text":"Grüße 👋 \\" \\u00e9"}', '[]'];
const seconds = () => String(Math.floor(Date.now() / 1_000));
const hmac = (algorithm, key, text) => createHmac(algorithm, key).update(text);
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed = generateKeyPairSync('ed25519');
const spki = { format: 'der', type: 'spki' };

const SVIX_SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes....').toString('base64')}`;

/** The fields of a form, of which one stands twice, as Twilio signs them. */
const formOf = (body) => {
  const form = new URLSearchParams(body);
  return Object.fromEntries([...new Set(form.keys())].map((key) => [key, form.getAll(key)]));
};

function snsEnvelope(key, fields) {
  const envelope = {
    Type: 'Notification',
    MessageId: 'id-1',
    TopicArn: 'arn:aws:sns:eu-central-1:1:mails',
    Message: '{}',
    Timestamp: new Date().toISOString(),
    SignatureVersion: '1',
    SigningCertURL: 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-1.pem',
    ...fields,
  };
  const signed = ['Message', 'MessageId', 'Subject', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
    .filter((key) => key in envelope)
    .map((key) => `${key}\n${envelope[key]}\n`)
    .join('');
  const algorithm = envelope.SignatureVersion === '2' ? 'RSA-SHA256' : 'RSA-SHA1';
  return JSON.stringify({
    ...envelope,
    Signature: createSign(algorithm).update(signed).sign(key, 'base64'),
  });
}

/**
 * Callbacks that the library of a provider's maker can judge. `signed` gives the headers of a body, `again` other ways to sign it;
 * `judged` is the word of the library. `urls` are other addresses of the same call.
 */
export const CALLBACK_ROWS = [
  {
    id: 'sendgrid',
    channel: 'email',
    library: '@sendgrid/eventwebhook@8.0.0',
    credentials: { callbackSecret: ec.publicKey.export(spki).toString('base64') },
    bodies: () => JSON_BODIES,
    signed: (body, timestamp = seconds()) => ({
      headers: {
        'x-twilio-email-event-webhook-timestamp': timestamp,
        'x-twilio-email-event-webhook-signature': sign('sha256', Buffer.from(timestamp + body), ec.privateKey).toString(
          'base64',
        ),
      },
    }),
    async judged(load, { headers, rawBody }, { callbackSecret }) {
      const { EventWebhook } = load('@sendgrid/eventwebhook');
      const judge = new EventWebhook();
      return judge.verifySignature(
        judge.convertPublicKeyToECDSA(callbackSecret),
        rawBody,
        headers['x-twilio-email-event-webhook-signature'],
        headers['x-twilio-email-event-webhook-timestamp'],
      );
    },
  },
  {
    id: 'resend',
    channel: 'email',
    library: 'resend@6.38.0',
    credentials: { callbackSecret: SVIX_SECRET },
    bodies: () => JSON_BODIES,
    signed(body, timestamp = seconds()) {
      const key = Buffer.from(SVIX_SECRET.slice('whsec_'.length), 'base64');
      const signature = hmac('sha256', key, `msg_1.${timestamp}.${body}`).digest('base64');
      return {
        headers: { 'svix-id': 'msg_1', 'svix-timestamp': timestamp, 'svix-signature': `v1,AAAA v1,${signature}` },
      };
    },
    async judged(load, { headers, rawBody }, { callbackSecret }) {
      const { Resend } = load('resend');
      const [id, timestamp, signature] = ['svix-id', 'svix-timestamp', 'svix-signature'].map((name) => headers[name]);
      const given = { payload: rawBody.toString(), headers: { id, timestamp, signature } };
      new Resend('re_1').webhooks.verify({ ...given, webhookSecret: callbackSecret });
      return true;
    },
  },
  {
    id: 'mailersend',
    channel: 'email',
    library: 'mailersend@3.4.0',
    credentials: { callbackSecret: 'a secret' },
    bodies: () => JSON_BODIES,
    signed: (body) => ({ headers: { signature: hmac('sha256', 'a secret', body).digest('hex') } }),
    async judged(load, { headers, rawBody }, { callbackSecret }) {
      const { MailerSendUtils } = load('mailersend/lib/services/mailersend.utils.js');
      return MailerSendUtils.verifyWebHook(rawBody, headers.signature, callbackSecret);
    },
  },
  {
    id: 'ses',
    channel: 'email',
    library: 'sns-validator@0.3.5',
    credentials: { callbackSecret: 'arn:aws:sns:eu-central-1:1:mails' },
    // The body carries its signature. Another topic is Herald's own reason to refuse.
    isSignedInside: true,
    bodies: ({ key }) => [
      snsEnvelope(key, {}),
      snsEnvelope(key, { SignatureVersion: '2' }),
      snsEnvelope(key, { Subject: 'Amazon SES', Message: 'Grüße 👋' }),
    ],
    signed: () => ({ headers: {} }),
    async judged(load, { rawBody }) {
      const Validator = load('sns-validator');
      return new Promise((resolve) => {
        new Validator().validate(rawBody.toString(), (error) => resolve(error === null));
      });
    },
  },
  {
    id: 'twilio',
    channel: 'sms',
    library: 'twilio@6.3.1',
    credentials: { token: 'a token' },
    bodies: () => [
      'MessageSid=SM1&MessageStatus=delivered&To=%2B4930111',
      'b=2&a=1&B=3&empty=&text=Gr%C3%BC%C3%9Fe+%F0%9F%91%8B',
      'MediaUrl=b&MediaUrl=a&MediaUrl=b',
    ],
    urls: ['https://herald.example:443/v1/provider-callbacks/1?x=1'],
    signed(body, algorithm = 'sha1') {
      const form = formOf(body);
      const fields = Object.keys(form).sort();
      const text = fields.map((name) => [...new Set(form[name])].sort().map((value) => name + value)).flat();
      const settings = { 'x-twilio-webhooks-signature-settings': 'key=k1,algorithm=HMAC_SHA256' };
      const signature = hmac(algorithm, 'a token', URL_CALLED + text.join('')).digest('base64');
      return { headers: { 'x-twilio-signature': signature, ...(algorithm === 'sha256' && settings) } };
    },
    again: ['sha256'],
    async judged(load, { headers, rawBody, url }, { token }) {
      const { validateRequest, getSignatureAlgorithm } = load('twilio');
      const algorithm = getSignatureAlgorithm(headers['x-twilio-webhooks-signature-settings']);
      return validateRequest(token, headers['x-twilio-signature'], url, formOf(rawBody.toString()), algorithm);
    },
  },
  {
    id: 'telnyx',
    channel: 'sms',
    library: 'telnyx@7.24.0',
    credentials: { callbackSecret: ed.publicKey.export(spki).subarray(12).toString('base64') },
    bodies: () => JSON_BODIES,
    signed: (body, timestamp = seconds()) => ({
      headers: {
        'telnyx-timestamp': timestamp,
        'telnyx-signature-ed25519': sign(null, Buffer.from(`${timestamp}|${body}`), ed.privateKey).toString('base64'),
      },
    }),
    async judged(load, { headers, rawBody }, { callbackSecret }) {
      const Telnyx = load('telnyx').default;
      const client = new Telnyx({ apiKey: 'KEY1', publicKey: callbackSecret });
      await client.webhooks.unwrap(rawBody.toString(), { headers });
      return true;
    },
  },
];

/** @returns a line for each request of which Herald and the library of the maker do not say the same */
export async function compareCallbacks(row, library, callback, recorder) {
  const { bodies, credentials, signed, judged, again = [] } = row;
  const { key, certificate } = recorder;
  recorder.answer = () => ({ headers: { 'content-type': 'application/x-pem-file' }, body: certificate });
  const faults = [];
  const compare = async (what, request, expected) => {
    const herald = await callback.verify(request, credentials);
    // Some refuse by an error.
    const maker = await judged(library, request, credentials).catch(() => false);
    if (herald !== maker || herald !== expected)
      faults.push(`${what}: Herald ${words(herald)}, and the library ${words(maker)} ${request.rawBody}`);
  };
  for (const body of bodies({ key })) {
    for (const how of [undefined, ...again]) {
      const good = { query: {}, url: URL_CALLED, rawBody: Buffer.from(body), ...signed(body, how) };
      await compare('as it was signed', good, true);
      for (const url of row.urls ?? []) await compare(url, { ...good, url }, true);
      await compare('a changed body', { ...good, rawBody: changed(body, row) }, false);
      if (row.urls) await compare('another address', { ...good, url: `${URL_CALLED}&y=2` }, false);
      const [[name, signature] = []] = Object.entries(good.headers).filter(([one]) => one.includes('signature'));
      if (name === undefined) continue;
      const wrong = `${signature.slice(0, -9)}${signature.at(-9) === 'A' ? 'B' : 'A'}${signature.slice(-8)}`;
      await compare('a changed signature', { ...good, headers: { ...good.headers, [name]: wrong } }, false);
    }
  }
  return faults;
}

const words = (isAccepted) => (isAccepted ? 'accepts it' : 'refuses it');

function changed(body, { isSignedInside = false }) {
  return Buffer.from(isSignedInside ? body.replace('id-1', 'id-2') : `${body}&x=1`);
}
