import { infobipBase, infobipCheck, infobipVerdict } from '../../declarative/infobip.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { customData, digits, senderOf } from './sms-fields.js';

export const infobipSms = defineHttpProvider({
  id: 'infobip-sms',
  channel: 'sms',
  userBase: infobipBase,
  request: ({ message, c }) => ({
    path: '/sms/2/text/advanced',
    headers: { authorization: `App ${c('apiKey')}` },
    json: {
      messages: [
        {
          from: senderOf(message, c),
          destinations: [{ to: digits(message.to) }],
          text: message.content,
          ...customData(message, 'destinations', 'to'),
        },
      ],
    },
  }),
  answer: {
    id: 'messages.0.messageId',
    error: ['requestError.serviceException.text'],
    refusesInBody: true,
    verdict: infobipVerdict,
  },
  ...infobipCheck,
});
