import { defineHttpProvider } from '../../declarative/http-provider.js';
import { bySeverity } from './chat-fields.js';

export const gotify = defineHttpProvider({
  id: 'gotify',
  channel: 'chat',
  userBase: (c) => c('baseUrl'),
  request: ({ message, c }) => {
    const url = message.webhookUrl || message.subscriberCredentials?.webhookUrl;
    return {
      // That of a subscriber has the token of their own application in its query.
      ...(url ? { url } : { path: '/message', headers: { 'x-gotify-key': c('token') } }),
      json: {
        message: message.content,
        priority: bySeverity(message, { low: 2, medium: 5, high: 8 }),
        ...message.customData,
      },
    };
  },
  answer: { id: 'id', date: 'date', error: ['errorDescription', 'error'] },
  // A message without text is refused after the token was looked at, and no other route takes tokens of applications.
  check: (c) => ({ method: 'POST', path: '/message', headers: { 'x-gotify-key': c('token') }, json: {} }),
  checkAccepts: ({ status }) => status === 400,
});
