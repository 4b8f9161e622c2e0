import { declare } from './declare.js';

export const PUSH_DECLARATIONS = [
  declare('push', 'fcm', 'Firebase Cloud Messaging', 'serviceAccount*', {
    supports: { check: true, invalidTokens: true, perToken: true },
    formats: { serviceAccount: 'serviceAccount' },
    docs: 'https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages/send',
    note: 'Overrides `fcm`: the blocks `android` (`collapseKey`, `ttl`, …), `apns` (`payload.aps.badge`, `headers.apns-collapse-id`, …) and `webpush`; `"type": "data"` sends data without a notification.',
  }),
  declare('push', 'apns', 'APNs', 'secretKey* apiKey* projectName* applicationId* secure', {
    supports: { invalidTokens: true, perToken: true },
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
    note: 'Overrides `apns`: `badge`, `sound`, `category`, `threadId`, `collapseId`, `expiry`, `priority`, `aps`; `"type": "data"` sends data in the background, without an alert.',
  }),
  declare('push', 'expo', 'Expo Push', 'apiKey*', {
    supports: { invalidTokens: true, batch: true, perToken: true, receipts: true },
    docs: 'https://docs.expo.dev/push-notifications/sending-notifications/',
    describe: { apiKey: 'Access token' },
  }),
  declare('push', 'one-signal', 'OneSignal', 'applicationId* apiKey*', {
    supports: { check: true, invalidTokens: true, batch: true, idempotency: true },
    docs: 'https://documentation.onesignal.com/reference/push-notification',
    describe: { apiKey: 'App API key', applicationId: 'App id' },
    note: 'Targets are subscription ids.',
  }),
  declare('push', 'pushpad', 'Pushpad', 'apiKey* applicationId*', {
    supports: { check: true, batch: true },
    docs: 'https://pushpad.xyz/docs/rest_api',
    describe: { apiKey: 'Access token', applicationId: 'Project id' },
    note: 'Targets are user ids (uids).',
  }),
  declare('push', 'push-webhook', 'Push Webhook', 'webhookUrl* secretKey*', {
    supports: { batch: true, userUrl: true },
    docs: 'https://docs.novu.co/platform/integrations/push/push-webhook',
    describe: { secretKey: 'Key of the HMAC-SHA256 in X-Novu-Signature' },
    note: 'Posts JSON with target, title, content, overrides and payload.',
  }),
  declare('push', 'pusher-beams', 'Pusher Beams', 'instanceId* secretKey*', {
    supports: { batch: true },
    ownFields: { only: ['deviceTokens', 'apns', 'fcm', 'web'] },
    docs: 'https://pusher.com/docs/beams/reference/publish-api',
    note: 'Targets are ids of authenticated users.',
  }),
  declare('push', 'web-push', 'Web Push', 'applicationId* secretKey* from*', {
    supports: { invalidTokens: true, perToken: true, userUrl: true },
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
