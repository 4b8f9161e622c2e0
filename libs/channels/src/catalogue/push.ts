import { declare } from './declare.js';

export const PUSH_DECLARATIONS = [
  declare('push', 'fcm', 'Firebase Cloud Messaging', 'serviceAccount*', {
    labels: { serviceAccount: 'Service account (JSON)' },
    where: {
      serviceAccount:
        'Firebase console: Project settings, Service accounts, Generate new private key; paste the whole file',
    },
    supports: { check: true, invalidTokens: true, perToken: true, replaces: true },
    formats: { serviceAccount: 'serviceAccount' },
    docs: 'https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages/send',
    note: 'Overrides `fcm`: the blocks `android` (`collapseKey`, `ttl`, …), `apns` (`payload.aps.badge`, `headers.apns-collapse-id`, …) and `webpush`; `"type": "data"` sends data without a notification. Texts and data of more than 4,096 bytes are refused, not cut.',
  }),
  declare('push', 'apns', 'APNs', 'secretKey* apiKey* projectName* applicationId* secure', {
    labels: {
      secretKey: 'Key (.p8)',
      apiKey: 'Key ID',
      projectName: 'Team ID',
      applicationId: 'Bundle ID',
      secure: 'Production',
    },
    where: {
      secretKey:
        'Apple Developer: Certificates, Identifiers & Profiles, Keys, with APNs; the file can be downloaded once',
      apiKey: 'Beside the key, ten characters',
      projectName: 'Apple Developer: Membership details',
      applicationId: 'Of the app, such as com.example.shop',
    },
    supports: { invalidTokens: true, perToken: true, replaces: true },
    ownFields: {
      only: [
        ...['deviceTokens', 'type', 'aps', 'data', 'badge', 'sound', 'category', 'threadId', 'interruptionLevel'],
        ...[
          'relevanceScore',
          'mutableContent',
          'contentAvailable',
          'topic',
          'pushType',
          'priority',
          'expiry',
          'collapseId',
        ],
      ],
    },
    docs: 'https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns',
    describe: {
      secretKey: 'Text of the .p8 key file',
      apiKey: 'Key id',
      projectName: 'Team id',
      applicationId: 'Bundle id',
      secure: 'True for the production service, else the sandbox',
    },
    formats: { secretKey: 'privateKey' },
    note: 'Overrides `apns`: `badge`, `sound`, `category`, `threadId`, `collapseId`, `expiry`, `priority`, `aps`; `"type": "data"` sends data in the background, without an alert. A payload of more than 4,096 bytes is refused, not cut.',
  }),
  declare('push', 'expo', 'Expo Push', 'apiKey*', {
    labels: { apiKey: 'Access token' },
    where: { apiKey: 'Expo: Account settings, Access tokens' },
    supports: { invalidTokens: true, batch: true, perToken: true, receipts: true },
    docs: 'https://docs.expo.dev/push-notifications/sending-notifications/',
    describe: { apiKey: 'Access token' },
  }),
  declare('push', 'one-signal', 'OneSignal', 'applicationId* apiKey*', {
    labels: { applicationId: 'App ID', apiKey: 'App API key' },
    where: { applicationId: 'OneSignal: Settings, Keys & IDs', apiKey: 'On the same page, Add Key' },
    supports: { check: true, invalidTokens: true, batch: true, idempotency: true, replaces: true },
    docs: 'https://documentation.onesignal.com/reference/push-notification',
    describe: { apiKey: 'App API key', applicationId: 'App id' },
    note: 'Targets are subscription ids.',
  }),
  declare('push', 'pushpad', 'Pushpad', 'apiKey* applicationId*', {
    labels: { apiKey: 'Auth token', applicationId: 'Project ID' },
    where: { apiKey: 'Pushpad: Account settings, Access tokens', applicationId: 'Pushpad: your project, Settings' },
    supports: { check: true, batch: true },
    docs: 'https://pushpad.xyz/docs/rest_api',
    describe: { apiKey: 'Access token', applicationId: 'Project id' },
    note: 'Targets are user ids (uids).',
  }),
  declare('push', 'push-webhook', 'Push Webhook', 'webhookUrl* secretKey*', {
    supports: { batch: true, userUrl: true, replaces: true },
    docs: 'https://docs.novu.co/platform/integrations/push/push-webhook',
    describe: { secretKey: 'Key of the HMAC-SHA256 in X-Novu-Signature' },
    note: 'Posts JSON with target, title, content, overrides and payload.',
  }),
  declare('push', 'pusher-beams', 'Pusher Beams', 'instanceId* secretKey*', {
    labels: { instanceId: 'Instance ID', secretKey: 'Secret key' },
    where: { instanceId: 'Pusher: your Beams instance, Keys', secretKey: 'On the same page' },
    supports: { batch: true },
    ownFields: { only: ['deviceTokens', 'apns', 'fcm', 'web'] },
    docs: 'https://pusher.com/docs/beams/reference/publish-api',
    note: 'Targets are ids of authenticated users.',
  }),
  declare('push', 'web-push', 'Web Push', 'applicationId* secretKey* from*', {
    labels: { applicationId: 'VAPID public key', secretKey: 'VAPID private key', from: 'Contact' },
    where: { applicationId: 'Printed by the command keys vapid', secretKey: 'Printed by the same command' },
    supports: { invalidTokens: true, perToken: true, userUrl: true, replaces: true },
    docs: 'https://www.rfc-editor.org/rfc/rfc8030',
    describe: {
      applicationId: 'VAPID public key, which the command `keys vapid` prints',
      secretKey: 'VAPID private key',
      from: 'Contact for the push services: a mailto: or https: URL',
    },
    formats: { applicationId: 'vapidPublicKey', secretKey: 'vapidPrivateKey' },
    note: 'Targets are push subscriptions of browsers as JSON, which browsers register themselves with POST /v1/inbox/push-subscriptions.',
  }),
];
