import { declare } from './declare.js';

const NOT_FOUND = 'Its public documentation could not be found, so there is no adapter; none is guessed.';

export const SMS_DECLARATIONS = [
  declare('sms', 'novu-sms', 'Novu SMS', '', { note: 'A hosted demo gateway; there is none behind Herald.' }),
  declare('sms', 'nexmo', 'Nexmo', 'apiKey* secretKey* from*', {
    supports: { check: true },
    docs: 'https://developer.vonage.com/en/api/sms',
  }),
  declare('sms', 'plivo', 'Plivo', 'accountSid* token* from*', {
    supports: { check: true },
    docs: 'https://www.plivo.com/docs/sms/detailed-reference/api/message/send-a-message/',
    describe: { accountSid: 'Auth id', token: 'Auth token' },
  }),
  declare('sms', 'sms77', 'sms77', 'apiKey* from*', {
    supports: {},
    docs: 'https://docs.seven.io/en/rest-api/endpoints/sms',
  }),
  declare('sms', 'sns', 'SNS', 'apiKey* secretKey* region*', {
    supports: { check: true },
    docs: 'https://docs.aws.amazon.com/sns/latest/api/API_Publish.html',
    describe: { apiKey: 'Access key id', secretKey: 'Secret access key' },
  }),
  declare('sms', 'telnyx', 'Telnyx', 'apiKey* messageProfileId* from* callbackSecret', {
    supports: { check: true, callbacks: true },
    docs: 'https://developers.telnyx.com/api-reference/messages/send-a-message',
    describe: { callbackSecret: 'Public key of the account, base64' },
  }),
  declare('sms', 'messagebird', 'MessageBird', 'accessKey* from*', {
    supports: { check: true },
    docs: 'https://developers.messagebird.com/api',
  }),
  declare('sms', 'twilio', 'Twilio', 'accountSid* token* from*', {
    supports: { check: true, callbacks: true },
    docs: 'https://www.twilio.com/docs/messaging/api/message-resource',
    describe: {
      accountSid: 'Account SID',
      token: 'Auth token',
      from: 'Sender number, or the SID of a messaging service (MG...)',
    },
  }),
  declare('sms', 'gupshup', 'Gupshup', 'user* password*', {
    supports: {},
    docs: 'https://docs.gupshup.io/docs/send-message-to-single-number',
    describe: { user: 'User id of the account, digits only' },
  }),
  declare('sms', 'firetext', 'Firetext', 'apiKey* from*', {
    supports: {},
    docs: 'https://www.firetext.co.uk/docs',
  }),
  declare('sms', 'infobip-sms', 'Infobip', 'apiKey* baseUrl* from*', {
    supports: { check: true, userUrl: true },
    docs: 'https://dev-old.infobip.com/send-sms/fully-featured-text-message',
    describe: { baseUrl: 'Personal base URL of the account' },
    formats: { baseUrl: 'hostOrUrl' },
  }),
  declare('sms', 'burst-sms', 'BurstSMS', 'apiKey* secretKey*', {
    supports: { check: true },
    docs: 'https://developers.kudosity.com/reference/post_send-sms-json',
  }),
  declare('sms', 'bulk-sms', 'BulkSMS', 'apiToken*', {
    supports: { check: true },
    docs: 'https://www.bulksms.com/developer/json/v1/',
    describe: { apiToken: 'API token, as id:secret or in its encoded form' },
  }),
  declare('sms', 'isend-sms', 'iSend SMS', 'apiToken* from contentType', { note: NOT_FOUND }),
  declare('sms', 'clickatell', 'clickatell', 'apiKey*', {
    supports: {},
    docs: 'https://guides.clickatell.com/clickatell-chat-commerce-platform/developer/channels/whatsapp-and-sms-one-api/api-reference/messages/send-messages',
  }),
  declare('sms', 'forty-six-elks', '46elks', 'user* password* from*', {
    supports: { check: true },
    docs: 'https://46elks.com/docs/send-sms',
  }),
  declare('sms', 'kannel', 'Kannel SMS', 'host* port* from* user password', {
    supports: { userUrl: true },
    docs: 'https://www.kannel.org/download/1.4.5/userguide-1.4.5/userguide.html',
    note: 'Gateways on a private address need ALLOW_PRIVATE_URLS=1.',
  }),
  declare('sms', 'maqsam', 'Maqsam', 'apiKey* secretKey* from*', { note: NOT_FOUND }),
  declare('sms', 'sms-central', 'SMS Central', 'user* password* from* baseUrl', {
    note: 'Its documentation describes the request but not the codes of its answers, so there is no adapter.',
  }),
  declare('sms', 'termii', 'Termii', 'apiKey* from*', {
    supports: { check: true },
    docs: 'https://developers.termii.com/messaging-api',
  }),
  declare('sms', 'africas-talking', "Africa's Talking", 'apiKey* user* from*', {
    supports: { check: true },
    docs: 'https://developers.africastalking.com/docs/sms/sending/bulk',
    describe: { user: 'User name of the application; sandbox uses the sandbox' },
  }),
  declare('sms', 'sendchamp', 'Sendchamp', 'apiKey* from*', { note: NOT_FOUND }),
  declare(
    'sms',
    'generic-sms',
    'Generic SMS',
    'baseUrl* apiKeyRequestHeader* apiKey* idPath* from* secretKeyRequestHeader secretKey datePath authenticateByToken domain authenticationTokenKey',
    {
      supports: { userUrl: true },
      docs: 'https://docs.novu.co/platform/integrations/sms/generic-sms',
      describe: {
        baseUrl: 'URL that takes the message as a JSON POST',
        domain: 'URL that hands out a token, when authenticateByToken is on',
        authenticationTokenKey:
          'Name of the token in its answer (data.<name> or <name>) and of the header that carries it',
      },
      note: 'Posts JSON with to, from, sender, content, id and customData.',
    },
  ),
  declare('sms', 'clicksend', 'Clicksend', 'user* apiKey* from*', {
    supports: { check: true },
    docs: 'https://developers.clicksend.com/docs/messaging/sms',
  }),
  declare('sms', 'simpletexting', 'SimpleTexting', 'apiKey* from*', {
    supports: {},
    docs: 'https://api-doc.simpletexting.com/',
  }),
  declare('sms', 'bandwidth', 'Bandwidth', 'user* password* accountSid* from* applicationId', {
    supports: {},
    docs: 'https://dev.bandwidth.com/docs/messaging/createMessage',
    describe: { accountSid: 'Account id', applicationId: 'Messaging application id; sending needs it' },
  }),
  declare('sms', 'azure-sms', 'Azure Sms', 'accessKey* from*', {
    supports: { userUrl: true },
    docs: 'https://learn.microsoft.com/en-us/rest/api/communication/dataplane/sms/send',
    describe: { accessKey: 'Connection string of the resource: endpoint=...;accesskey=...' },
  }),
  declare('sms', 'ring-central', 'RingCentral', 'clientId* secretKey* token* from* secure', {
    supports: { check: true },
    docs: 'https://developers.ringcentral.com/guide/messaging/sms/sending-sms',
    describe: {
      clientId: 'Client id of the app',
      secretKey: 'Client secret of the app',
      token: 'JWT of the user that sends',
      secure: 'True for the sandbox, as the compatible system has it',
    },
  }),
  declare('sms', 'brevo-sms', 'Brevo', 'apiKey* from*', {
    supports: { check: true },
    docs: 'https://developers.brevo.com/reference/sendtransacsms',
  }),
  declare('sms', 'eazy-sms', 'Eazy', 'apiKey* channelId*', { note: NOT_FOUND }),
  declare('sms', 'mobishastra', 'Mobishastra', 'baseUrl* user* password* from*', { note: NOT_FOUND }),
];
