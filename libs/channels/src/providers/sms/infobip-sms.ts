import type { SmsMessage } from '../../core/messages.js';
import { approvedTemplate, type ApprovedTemplate } from '../approved-template.js';
import { infobipBase, infobipCheck, infobipVerdict } from '../../declarative/infobip.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { customData, digits, dltFields, senderOf } from './sms-fields.js';

/** A template of WhatsApp, which has a route of its own. */
function contentOf({ name, language, parameters }: ApprovedTemplate): object {
  const placeholders = parameters.map(([, text]) => text);
  return { templateName: name, templateData: { body: { placeholders } }, language };
}

function textMessage(message: SmsMessage, from: string | undefined): object {
  const indiaDlt = dltFields(message, { entityId: 'principalEntityId', templateId: 'contentTemplateId' });
  return {
    from,
    destinations: [{ to: digits(message.to) }],
    text: message.content,
    ...(Object.keys(indiaDlt).length > 0 && { regional: { indiaDlt } }),
    ...customData(message, 'destinations', 'to', 'dlt'),
  };
}

export const infobipSms = defineHttpProvider({
  id: 'infobip-sms',
  channel: 'sms',
  userBase: infobipBase,
  request: ({ message, c }) => {
    const template = approvedTemplate(message.customData);
    const from = senderOf(message, c);
    const to = digits(message.to);
    return {
      path: template ? '/whatsapp/1/message/template' : '/sms/2/text/advanced',
      headers: { authorization: `App ${c('apiKey')}` },
      json: { messages: [template ? { from, to, content: contentOf(template) } : textMessage(message, from)] },
    };
  },
  answer: {
    id: 'messages.0.messageId',
    error: ['requestError.serviceException.text'],
    refusesInBody: true,
    verdict: infobipVerdict,
  },
  ...infobipCheck,
});
