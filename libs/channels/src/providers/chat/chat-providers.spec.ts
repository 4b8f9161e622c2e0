import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { CHAT, SERVER, type ProviderCase } from '../../../test/provider-case.js';

const HOOK = '/hook/secret-part?a=1';
const inRoom = { ...CHAT, subscriberCredentials: { channel: '#general' } };
const plain = { credentials: {}, result: {}, success: { body: 'ok' } } as const;

const CASES: (Omit<ProviderCase, 'channel' | 'message'> & Partial<Pick<ProviderCase, 'message'>>)[] = [
  {
    ...plain,
    id: 'slack',
    message: { ...inRoom, customData: { blocks: [{ type: 'divider' }] } },
    credentials: { applicationId: 'A', clientId: 'C', secretKey: 'sl-secret' },
    request: { path: HOOK, json: { text: 'Hello *Ada*', channel: '#general', blocks: [{ type: 'divider' }] } },
    failure: { body: 'invalid_payload', words: 'invalid_payload' },
  },
  {
    ...plain,
    id: 'mattermost',
    message: inRoom,
    request: { path: HOOK, json: { text: 'Hello *Ada*', channel: '#general' } },
    failure: { body: { message: 'Unable to parse incoming data' }, words: 'Unable to parse' },
  },
  {
    ...plain,
    id: 'ryver',
    request: { path: HOOK, json: { body: 'Hello *Ada*' } },
    failure: { body: 'Invalid webhook', words: 'Invalid webhook' },
  },
  {
    ...plain,
    id: 'zulip',
    success: { body: { result: 'success', msg: '' } },
    request: { path: HOOK, json: { text: 'Hello *Ada*' } },
    failure: { body: { result: 'error', msg: 'Invalid API key' }, words: 'Invalid API key' },
  },
  {
    id: 'discord',
    credentials: {},
    message: { ...CHAT, customData: { username: 'Herald' } },
    request: { path: `${HOOK}&wait=true`, json: { content: 'Hello *Ada*', username: 'Herald' } },
    success: { body: { id: '1100', timestamp: '2026-01-02T00:00:00.000000+00:00' } },
    result: { id: '1100', date: '2026-01-02T00:00:00.000000+00:00' },
    failure: { body: { message: 'Cannot send an empty message', code: 50006 }, words: 'empty message' },
  },
  {
    ...plain,
    id: 'msteams',
    success: { status: 202, body: '' },
    request: {
      path: HOOK,
      json: {
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            contentUrl: null,
            content: {
              $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
              type: 'AdaptiveCard',
              version: '1.2',
              body: [{ type: 'TextBlock', text: 'Hello *Ada*', wrap: true }],
            },
          },
        ],
      },
    },
    failure: { body: { error: { code: 'InvalidRequest', message: 'The request is not valid' } }, words: 'not valid' },
  },
  {
    ...plain,
    id: 'grafana-on-call',
    credentials: {
      alertUid: 'uid-1',
      title: 'From the integration',
      state: 'alerting',
      externalLink: 'https://x.example',
    },
    message: { ...CHAT, subscriberCredentials: { title: 'Own title', imageUrl: 'https://x.example/i.png' } },
    success: { body: 'Ok.' },
    request: {
      path: HOOK,
      json: {
        alert_uid: 'uid-1',
        title: 'Own title',
        image_url: 'https://x.example/i.png',
        state: 'alerting',
        link_to_upstream_details: 'https://x.example',
        message: 'Hello *Ada*',
      },
    },
    failure: { body: { detail: 'Integration not found' }, words: 'not found' },
  },
  {
    ...plain,
    id: 'getstream',
    credentials: { apiKey: 'gs-secret' },
    success: { headers: { 'x-webhook-id': 'gs-1' }, body: {} },
    result: { id: 'gs-1' },
    request: { path: HOOK, headers: { 'x-api-key': 'gs-secret' }, json: { text: 'Hello *Ada*' } },
    failure: { body: { message: 'channel is gone' }, words: 'channel is gone' },
  },
  {
    id: 'rocket-chat',
    credentials: { token: 'rc-secret', user: 'rc-user' },
    message: { ...CHAT, webhookUrl: `${SERVER}/`, subscriberCredentials: { channel: 'GENERAL' } },
    request: {
      path: '/api/v1/chat.sendMessage',
      headers: { 'x-auth-token': 'rc-secret', 'x-user-id': 'rc-user' },
      json: { message: { rid: 'GENERAL', msg: 'Hello *Ada*' } },
    },
    success: { body: { success: true, message: { _id: 'rc-1', ts: '2026-01-02T00:00:00Z' } } },
    result: { id: 'rc-1', date: '2026-01-02T00:00:00Z' },
    failure: { body: { success: false, error: 'invalid-room' }, words: 'invalid-room' },
  },
  {
    id: 'whatsapp-business',
    credentials: { apiToken: 'wa-secret', phoneNumberIdentification: '1055' },
    message: { ...CHAT, phone: '+4915112345678' },
    request: {
      path: '/v21.0/1055/messages',
      headers: { authorization: 'Bearer wa-secret' },
      json: {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: '4915112345678',
        type: 'text',
        text: { preview_url: false, body: 'Hello *Ada*' },
      },
    },
    success: { body: { messaging_product: 'whatsapp', messages: [{ id: 'wamid.1' }] } },
    result: { id: 'wamid.1' },
    failure: {
      body: { error: { message: '(#131009) Parameter value is not valid', code: 131009 } },
      words: 'not valid',
    },
    check: { method: 'GET', path: '/v21.0/1055' },
  },
];

describe('chat providers', () => {
  for (const given of CASES) itBehavesLikeAnHttpProvider({ message: CHAT, ...given, channel: 'chat' });
});
