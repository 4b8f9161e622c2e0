import { createECDH, generateKeyPairSync } from 'node:crypto';

const pem = (kind, options) => generateKeyPairSync(kind, options).privateKey.export({ type: 'pkcs8', format: 'pem' });
const ACCOUNT = {
  type: 'service_account',
  project_id: 'shop',
  client_email: 'herald@shop.iam.gserviceaccount.com',
  private_key: pem('rsa', { modulusLength: 2048 }),
};
const P8 = pem('ec', { namedCurve: 'P-256' });
const vapid = createECDH('prime256v1');
vapid.generateKeys();
const VAPID = { publicKey: vapid.getPublicKey('base64url'), privateKey: vapid.getPrivateKey('base64url') };
const browser = (name) => {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  return JSON.stringify({
    endpoint: `https://push.example.com/send/${name}`,
    keys: { p256dh: keys.getPublicKey('base64url'), auth: Buffer.alloc(16, name).toString('base64url') },
  });
};
const BROWSERS = [browser('a'), browser('b')];
const devices = (first, second) => ({
  message: { target: [first] },
  messages: { 'several devices': { target: [first, second] } },
});
const UUID = '8a2d7c1e-2d0a-4c7e-9d4f-1f4f2f0f7a11';

export const PUSH_ROWS = [
  {
    id: 'fcm',
    channel: 'push',
    library: 'firebase-admin@14.5.1',
    specification: {
      file: 'fcm.json',
      date: '2026-10-23',
      operations: ['SendMessageRequest'],
      differs: { 'body.message.android.priority': 'the library and the guides have it in lower case as well' },
    },
    differs: Object.fromEntries(
      ['collapseKey', 'collapse_key', 'notification.channelId', 'notification.channel_id'].map((field) => [
        `body.message.android.${field}`,
        'the API takes both spellings of a field',
      ]),
    ),
    credentials: { serviceAccount: JSON.stringify(ACCOUNT) },
    headers: ['content-type'],
    message: { target: ['token-1'] },
    messages: {
      'several devices': { target: ['token-1', 'token-2'] },
      'with options': {
        overrides: {
          data: { order: '7' },
          android: {
            ttl: 3_600_000,
            priority: 'high',
            collapseKey: 'orders',
            notification: { sound: 'default', channelId: 'c', imageUrl: 'https://example.com/i.png' },
          },
          apns: {
            headers: { 'apns-priority': '10' },
            payload: { aps: { badge: 3, sound: 'default', contentAvailable: true, threadId: 't' } },
          },
          webpush: { headers: { Urgency: 'high' }, fcmOptions: { link: 'https://example.com' } },
        },
      },
    },
    answers: {
      '/token': { isPrelude: true, body: { access_token: 'ya29', token_type: 'Bearer', expires_in: 3600 } },
      '*': { body: { name: 'projects/shop/messages/1' } },
    },
    async send(load, { target, title, content, overrides }) {
      const { initializeApp, cert, deleteApp } = load('firebase-admin/app');
      const { getMessaging } = load('firebase-admin/messaging');
      const app = initializeApp({ credential: cert(ACCOUNT) });
      const message = { notification: { title, body: content }, ...overrides };
      for (const token of target) await getMessaging(app).send({ token, ...message });
      await deleteApp(app);
    },
  },
  {
    id: 'apns',
    channel: 'push',
    library: '@parse/node-apn@8.1.0',
    credentials: {
      secretKey: P8,
      apiKey: 'KEY1234567',
      projectName: 'TEAM123456',
      applicationId: 'com.example.shop',
      secure: true,
    },
    headers: ['authorization', 'apns-topic', 'apns-push-type', 'apns-priority', 'apns-expiration', 'apns-collapse-id'],
    message: { target: ['a'.repeat(64)] },
    messages: {
      'several devices': { target: ['a'.repeat(64), 'b'.repeat(64)] },
      'with options': {
        overrides: {
          badge: 3,
          sound: 'default',
          category: 'c',
          threadId: 't',
          collapseId: 'orders',
          expiry: 1_900_000_000,
          mutableContent: true,
        },
      },
    },
    answers: { '*': { body: '' } },
    async send(load, { target, title, content, payload, overrides = {} }) {
      const { Provider, Notification } = load('@parse/node-apn');
      const provider = new Provider({
        token: { key: P8, keyId: 'KEY1234567', teamId: 'TEAM123456' },
        production: true,
      });
      const { mutableContent, ...rest } = overrides;
      const note = new Notification({
        alert: { title, body: content },
        payload,
        topic: 'com.example.shop',
        pushType: 'alert',
        priority: 10,
        ...rest,
        ...(mutableContent && { mutableContent: 1 }),
      });
      await provider.send(note, target);
      await provider.shutdown();
    },
  },
  {
    id: 'expo',
    channel: 'push',
    library: 'expo-server-sdk@7.2.0',
    credentials: { apiKey: 'token' },
    ...devices('ExponentPushToken[a]', 'ExponentPushToken[b]'),
    answers: {
      '*': {
        body: {
          data: [
            { status: 'ok', id: 'r1' },
            { status: 'ok', id: 'r2' },
          ],
        },
      },
    },
    async send(load, { target, title, content, payload }) {
      const { Expo } = load('expo-server-sdk');
      const message = { title, body: content, data: payload };
      await new Expo({ accessToken: 'token' }).sendPushNotificationsAsync(target.map((to) => ({ to, ...message })));
    },
  },
  {
    id: 'one-signal',
    channel: 'push',
    library: '@onesignal/node-onesignal@5.18.0',
    credentials: { applicationId: UUID, apiKey: 'os_v2_key' },
    differs: { 'body.idempotency_key': 'a repeat of Herald has the same key' },
    ...devices('11111111-2d0a-4c7e-9d4f-1f4f2f0f7a11', '22222222-2d0a-4c7e-9d4f-1f4f2f0f7a11'),
    answers: { '*': { body: { id: 'id-1' } } },
    async send(load, { target, title, content, payload }) {
      const { DefaultApi, Notification, createConfiguration } = load('@onesignal/node-onesignal');
      const notification = Object.assign(new Notification(), {
        app_id: UUID,
        target_channel: 'push',
        include_subscription_ids: target,
        headings: { en: title },
        contents: { en: content },
        data: payload,
      });
      await new DefaultApi(createConfiguration({ restApiKey: 'os_v2_key' })).createNotification(notification);
    },
  },
  {
    id: 'pushpad',
    channel: 'push',
    library: 'pushpad@2.0.0',
    specification: {
      file: 'pushpad.json',
      date: '2026-08-13',
      operations: ['POST /projects/{project_id}/notifications'],
    },
    credentials: { apiKey: 'token', applicationId: '123' },
    ...devices('user-1', 'user-2'),
    answers: { '*': { status: 201, body: { id: 1 } } },
    async send(load, { target, title, content }) {
      const { default: Pushpad } = await load.import('pushpad');
      await new Pushpad({ authToken: 'token', projectId: 123 }).notification.create({
        title,
        body: content,
        uids: target,
      });
    },
  },
  {
    id: 'pusher-beams',
    channel: 'push',
    library: '@pusher/push-notifications-server@1.2.7',
    credentials: { instanceId: UUID, secretKey: 'secret' },
    ...devices('user-1', 'user-2'),
    answers: { '*': { body: { publishId: 'id-1' } } },
    async send(load, { target, title, content, payload }) {
      const client = new (load('@pusher/push-notifications-server'))({ instanceId: UUID, secretKey: 'secret' });
      const notification = { title, body: content };
      await client.publishToUsers(target, {
        apns: { aps: { alert: notification }, data: payload },
        fcm: { notification, data: payload },
        web: { notification, data: payload },
      });
    },
  },
  {
    id: 'web-push',
    channel: 'push',
    library: 'web-push@3.6.7',
    credentials: { applicationId: VAPID.publicKey, secretKey: VAPID.privateKey, from: 'mailto:ops@herald.example' },
    headers: ['authorization', 'content-type', 'content-encoding', 'ttl', 'urgency', 'topic'],
    message: { target: [BROWSERS[0]] },
    messages: {
      'several devices': { target: BROWSERS },
      'with options': { overrides: { ttl: 60, urgency: 'high', topic: 'orders' } },
    },
    differs: { 'headers.topic': 'a repeat of Herald replaces what the browser has not fetched' },
    answers: { '*': { status: 201, body: '' } },
    async send(load, { id, target, title, content, payload, overrides = {} }) {
      const { sendNotification } = load('web-push');
      const { ttl = 28 * 86_400, urgency = 'normal', topic } = overrides;
      const vapidDetails = { subject: 'mailto:ops@herald.example', ...VAPID };
      const text = JSON.stringify({ id, title, body: content, data: payload });
      for (const one of target)
        await sendNotification(JSON.parse(one), text, { TTL: ttl, urgency, topic, vapidDetails });
    },
  },
  { id: 'push-webhook', channel: 'push', unchecked: 'its receivers decide what they take' },
];
