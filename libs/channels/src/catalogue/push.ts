import { declare } from './declare.js';

export const PUSH_DECLARATIONS = [
  declare('push', 'fcm', 'Firebase Cloud Messaging', 'serviceAccount*'),
  declare('push', 'apns', 'APNs', 'secretKey* apiKey* projectName* applicationId* secure'),
  declare('push', 'expo', 'Expo Push', 'apiKey*'),
  declare('push', 'one-signal', 'OneSignal', 'applicationId* apiKey*'),
  declare('push', 'pushpad', 'Pushpad', 'apiKey* applicationId*'),
  declare('push', 'push-webhook', 'Push Webhook', 'webhookUrl* secretKey*'),
  declare('push', 'pusher-beams', 'Pusher Beams', 'instanceId* secretKey*'),
];
