import { defineHttpProvider } from '../../declarative/http-provider.js';
import { webhookOf } from './chat-fields.js';

export const grafanaOnCall = defineHttpProvider({
  id: 'grafana-on-call',
  channel: 'chat',
  request: ({ message, c }) => {
    const own = message.subscriberCredentials ?? {};
    return {
      url: webhookOf(message),
      json: {
        alert_uid: own.alertUid ?? (c('alertUid') || undefined),
        title: own.title ?? (c('title') || undefined),
        image_url: own.imageUrl ?? (c('imageUrl') || undefined),
        state: own.state ?? (c('state') || undefined),
        link_to_upstream_details: own.externalUrl ?? (c('externalLink') || undefined),
        message: message.content,
        ...message.customData,
      },
    };
  },
  answer: { error: ['detail', 'message'] },
});
