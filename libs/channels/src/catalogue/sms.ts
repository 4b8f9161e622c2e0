import { declare } from './declare.js';

export const SMS_DECLARATIONS = [
  declare('sms', 'novu-sms', 'Novu SMS', '', { note: 'A hosted demo gateway; there is none behind Herald.' }),
  declare('sms', 'nexmo', 'Nexmo', 'apiKey* secretKey* from*', {
    supports: {},
    docs: 'https://developer.vonage.com/en/api/sms',
  }),
  declare('sms', 'plivo', 'Plivo', 'accountSid* token* from*', {
    supports: { check: true },
    docs: 'https://www.plivo.com/docs/sms/detailed-reference/api/message/send-a-message/',
    describe: { accountSid: 'Auth id', token: 'Auth token' },
  }),
  declare('sms', 'sms77', 'sms77', 'apiKey* from*'),
  declare('sms', 'sns', 'SNS', 'apiKey* secretKey* region*', {
    supports: {},
    docs: 'https://docs.aws.amazon.com/sns/latest/api/API_Publish.html',
    describe: { apiKey: 'Access key id', secretKey: 'Secret access key' },
  }),
  declare('sms', 'telnyx', 'Telnyx', 'apiKey* messageProfileId* from*', {
    supports: { check: true },
    docs: 'https://developers.telnyx.com/api-reference/messages/send-a-message',
  }),
  declare('sms', 'messagebird', 'MessageBird', 'accessKey* from*', {
    supports: { check: true },
    docs: 'https://developers.messagebird.com/api',
  }),
  declare('sms', 'twilio', 'Twilio', 'accountSid* token* from*', {
    supports: { check: true },
    docs: 'https://www.twilio.com/docs/messaging/api/message-resource',
    describe: {
      accountSid: 'Account SID',
      token: 'Auth token',
      from: 'Sender number, or the SID of a messaging service (MG...)',
    },
  }),
  declare('sms', 'gupshup', 'Gupshup', 'user* password*'),
  declare('sms', 'firetext', 'Firetext', 'apiKey* from*'),
  declare('sms', 'infobip-sms', 'Infobip', 'apiKey* baseUrl* from*', {
    supports: { userUrl: true },
    docs: 'https://www.infobip.com/docs/api/channels/sms',
    describe: { baseUrl: 'Personal base URL of the account' },
  }),
  declare('sms', 'burst-sms', 'BurstSMS', 'apiKey* secretKey*'),
  declare('sms', 'bulk-sms', 'BulkSMS', 'apiToken*'),
  declare('sms', 'isend-sms', 'iSend SMS', 'apiToken* from contentType'),
  declare('sms', 'clickatell', 'clickatell', 'apiKey*'),
  declare('sms', 'forty-six-elks', '46elks', 'user* password* from*'),
  declare('sms', 'kannel', 'Kannel SMS', 'host* port* from* user password'),
  declare('sms', 'maqsam', 'Maqsam', 'apiKey* secretKey* from*'),
  declare('sms', 'sms-central', 'SMS Central', 'user* password* from* baseUrl'),
  declare('sms', 'termii', 'Termii', 'apiKey* from*'),
  declare('sms', 'africas-talking', "Africa's Talking", 'apiKey* user* from*'),
  declare('sms', 'sendchamp', 'Sendchamp', 'apiKey* from*'),
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
  declare('sms', 'clicksend', 'Clicksend', 'user* apiKey* from*'),
  declare('sms', 'simpletexting', 'SimpleTexting', 'apiKey* from*'),
  declare('sms', 'bandwidth', 'Bandwidth', 'user* password* accountSid* from*'),
  declare('sms', 'azure-sms', 'Azure Sms', 'accessKey* from*'),
  declare('sms', 'ring-central', 'RingCentral', 'clientId* secretKey* token* from* secure'),
  declare('sms', 'brevo-sms', 'Brevo', 'apiKey* from*'),
  declare('sms', 'eazy-sms', 'Eazy', 'apiKey* channelId*'),
  declare('sms', 'mobishastra', 'Mobishastra', 'baseUrl* user* password* from*'),
];
