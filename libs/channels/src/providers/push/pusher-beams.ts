import { bearer } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { overrideObject } from './push-fields.js';

export const pusherBeams = defineHttpProvider({
  id: 'pusher-beams',
  channel: 'push',
  base: (c) => `https://${c.hostLabel('instanceId')}.pushnotifications.pusher.com`,
  targetsPerRequest: 1_000,
  request: ({ message, c }) => {
    const alert = { title: message.title, body: message.content };
    return {
      path: `/publish_api/v1/instances/${c.segment('instanceId')}/publishes/users`,
      headers: { authorization: bearer(c('secretKey')) },
      json: {
        users: message.target,
        apns: { aps: { alert }, data: message.payload, ...overrideObject(message.overrides, 'apns') },
        fcm: { notification: alert, data: message.payload, ...overrideObject(message.overrides, 'fcm') },
        web: { notification: alert, data: message.payload, ...overrideObject(message.overrides, 'web') },
      },
    };
  },
  answer: { id: 'publishId', error: ['description', 'error'] },
});
