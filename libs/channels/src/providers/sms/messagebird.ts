import { defineHttpProvider } from '../../declarative/http-provider.js';
import { customData, digits, senderOf } from './sms-fields.js';

export const messagebird = defineHttpProvider({
  id: 'messagebird',
  channel: 'sms',
  base: 'https://rest.messagebird.com',
  request: ({ message, c }) => ({
    path: '/messages',
    headers: { authorization: `AccessKey ${c('accessKey')}` },
    json: {
      originator: senderOf(message, c),
      recipients: [digits(message.to)],
      body: message.content,
      datacoding: 'auto',
      reference: message.id,
      ...customData(message, 'recipients', 'groupIds'),
    },
  }),
  answer: { id: 'id', date: 'createdDatetime', error: ['errors.0.description'] },
  check: (c) => ({ path: '/balance', headers: { authorization: `AccessKey ${c('accessKey')}` } }),
});
