import type { Channel, OutboundMessage } from '../src/index.js';
import { CHAT } from './provider-case.js';
import type { CannedAnswer } from './recording-server.js';

export const REJECTED = { code: 'rejected', retryable: false };
export const PASSING = { code: 'unavailable', retryable: true };
export const LIMITED = { code: 'rate_limited', retryable: true };
export const REFUSED = { code: 'unauthorized', retryable: false };
const WRONG_TARGET = { code: 'invalid_target', retryable: false };
const KEY = { apiKey: 'k' };
const PAIR = { apiKey: 'k', secretKey: 's' };
export const AWS = { apiKey: 'AKID', secretKey: 'aws-secret', region: 'eu-west-1' };

/** Provider, channel, credentials, answer, what the error must say, and the message if it is not the usual one. */
export type AnswerCase = [
  string,
  Channel,
  Record<string, unknown>,
  CannedAnswer,
  Record<string, unknown>,
  OutboundMessage?,
];

/** Answers of every kind; {@link REFUSALS_WITH_SUCCESS} are those that only the body tells. */
export const ANSWER_CASES: AnswerCase[] = [
  ['nexmo', 'sms', PAIR, { body: { messages: [{ status: '1', 'error-text': 'Throttled' }] } }, LIMITED],
  ['nexmo', 'sms', PAIR, { body: { messages: [{ status: '4', 'error-text': 'Bad Credentials' }] } }, REFUSED],
  ['nexmo', 'sms', PAIR, { body: { messages: [{ status: '5', 'error-text': 'Internal Error' }] } }, PASSING],
  ['nexmo', 'sms', PAIR, { body: { messages: [{ status: '6', 'error-text': 'Invalid Message' }] } }, REJECTED],
  [
    'infobip-sms',
    'sms',
    { apiKey: 'k', baseUrl: 'b' },
    { body: { messages: [{ messageId: '1', status: { groupName: 'REJECTED', description: 'No route' } }] } },
    REJECTED,
  ],
  [
    'mailjet',
    'email',
    PAIR,
    { body: { Messages: [{ Status: 'error', Errors: [{ ErrorMessage: 'bad' }] }] } },
    REJECTED,
  ],
  [
    'mandrill',
    'email',
    KEY,
    { status: 500, body: { status: 'error', name: 'Invalid_Key', message: 'Invalid API key' } },
    REFUSED,
  ],
  [
    'mandrill',
    'email',
    KEY,
    { status: 500, body: { status: 'error', name: 'GeneralError', message: 'oops' } },
    PASSING,
  ],
  ['mandrill', 'email', KEY, { body: [{ status: 'rejected', reject_reason: 'hard-bounce', _id: '1' }] }, REJECTED],
  ['postmark', 'email', KEY, { body: { ErrorCode: 406, Message: 'Inactive' } }, WRONG_TARGET],
  ['sparkpost', 'email', KEY, { status: 420, body: { errors: [{ message: 'Exceed Sending Limit' }] } }, PASSING],
  ['resend', 'email', KEY, { status: 409, body: { name: 'concurrent_idempotent_requests', message: 'busy' } }, PASSING],
  [
    'resend',
    'email',
    KEY,
    { status: 409, body: { name: 'invalid_idempotent_request', message: 'other body' } },
    REJECTED,
  ],
  [
    'ses',
    'email',
    AWS,
    { status: 400, headers: { 'x-amzn-errortype': 'ThrottlingException:http://x' }, body: {} },
    LIMITED,
  ],
  [
    'ses',
    'email',
    AWS,
    { status: 400, headers: { 'x-amzn-errortype': 'MessageRejected' }, body: { message: 'no' } },
    REJECTED,
  ],
  [
    'sns',
    'sms',
    AWS,
    {
      status: 400,
      body: '<ErrorResponse><Error><Code>Throttling</Code><Message>Rate exceeded</Message></Error></ErrorResponse>',
    },
    LIMITED,
  ],
  [
    'sns',
    'sms',
    AWS,
    {
      status: 403,
      body: '<ErrorResponse><Error><Code>SignatureDoesNotMatch</Code><Message>no</Message></Error></ErrorResponse>',
    },
    REFUSED,
  ],
  [
    'sns',
    'sms',
    AWS,
    { status: 400, body: { Error: { Code: 'Throttling', Message: 'Rate exceeded' }, RequestId: '1' } },
    LIMITED,
  ],
  ['sns', 'sms', AWS, { status: 403, body: { Error: { Code: 'InvalidClientTokenId', Message: 'no' } } }, REFUSED],
  [
    'ses',
    'email',
    { ...AWS, region: 'evil.example/' },
    { body: {} },
    { code: 'credentials_incomplete', retryable: false },
  ],
  ['zulip', 'chat', {}, { body: { result: 'error', msg: 'Stream does not exist' } }, REJECTED],
  ['rocket-chat', 'chat', { token: 't', user: 'u' }, { body: { success: false, error: 'not-allowed' } }, REJECTED],
  [
    'msteams',
    'chat',
    {},
    { body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429' },
    LIMITED,
  ],
  [
    'msteams',
    'chat',
    {},
    { body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 503' },
    PASSING,
  ],
  [
    'whatsapp-business',
    'chat',
    { apiToken: 't', phoneNumberIdentification: '1' },
    { status: 400, body: { error: { code: 130429, message: 'Rate limit hit' } } },
    LIMITED,
    { ...CHAT, phone: '1' },
  ],
  [
    'whatsapp-business',
    'chat',
    { apiToken: 't', phoneNumberIdentification: '1' },
    { status: 400, body: { error: { code: 131026, message: 'Undeliverable' } } },
    { code: 'invalid_target', retryable: false },
    { ...CHAT, phone: '1' },
  ],
  [
    'whatsapp-business',
    'chat',
    { apiToken: 't', phoneNumberIdentification: '1' },
    { body: {} },
    { code: 'message_incomplete', retryable: false },
  ],
  [
    'slack',
    'chat',
    {},
    { body: 'ok' },
    { code: 'message_incomplete', retryable: false },
    { channel: 'chat', id: 'm', content: 'x' },
  ],
  ['slack', 'chat', {}, { status: 404, body: 'no_service' }, { code: 'invalid_target', retryable: false }],
  [
    'expo',
    'push',
    KEY,
    { body: { data: [{ status: 'error', message: 'gone', details: { error: 'DeviceNotRegistered' } }] } },
    { code: 'invalid_target', retryable: false, invalidTokens: ['token-1'] },
  ],
  [
    'expo',
    'push',
    KEY,
    { body: { data: [{ status: 'error', message: 'slow', details: { error: 'MessageRateExceeded' } }] } },
    LIMITED,
  ],
  [
    'expo',
    'push',
    KEY,
    { body: { data: [{ status: 'error', message: 'no', details: { error: 'InvalidCredentials' } }] } },
    REFUSED,
  ],
  [
    'one-signal',
    'push',
    { applicationId: 'a', apiKey: 'k' },
    { body: { id: '', errors: ['All included players are not subscribed'] } },
    { code: 'invalid_target', retryable: false },
  ],
  [
    'one-signal',
    'push',
    { applicationId: 'a', apiKey: 'k' },
    { body: { id: '', errors: { invalid_player_ids: ['token-1'] } } },
    { code: 'invalid_target', invalidTokens: ['token-1'] },
  ],
  [
    'pusher-beams',
    'push',
    { instanceId: 'a.evil.example', secretKey: 'k' },
    { body: {} },
    { code: 'credentials_incomplete' },
  ],
  ['sms77', 'sms', KEY, { body: { success: '500', messages: [{ error_text: 'no credit' }] } }, REJECTED],
  ['sms77', 'sms', KEY, { body: { success: '600', messages: [] } }, PASSING],
  ['sms77', 'sms', KEY, { body: '900' }, REFUSED],
  [
    'africas-talking',
    'sms',
    { apiKey: 'k', user: 'u' },
    { body: { SMSMessageData: { Recipients: [{ statusCode: 403, status: 'InvalidPhoneNumber' }] } } },
    WRONG_TARGET,
  ],
  [
    'africas-talking',
    'sms',
    { apiKey: 'k', user: 'u' },
    { body: { SMSMessageData: { Recipients: [{ statusCode: 500, status: 'InternalServerError' }] } } },
    PASSING,
  ],
  [
    'clicksend',
    'sms',
    { user: 'u', apiKey: 'k' },
    { body: { data: { messages: [{ message_id: '1', status: 'INVALID_RECIPIENT' }] } } },
    REJECTED,
  ],
  [
    'clickatell',
    'sms',
    KEY,
    { status: 207, body: { messages: [{ accepted: false, error: { description: 'blocked' } }] } },
    REJECTED,
  ],
  ['burst-sms', 'sms', PAIR, { body: { error: { code: 'RECIPIENTS_ERROR', description: 'none' } } }, REJECTED],
  ['kannel', 'sms', { host: 'h', port: '1' }, { status: 503, body: 'Temporal failure, try again later.' }, PASSING],
  [
    'bandwidth',
    'sms',
    { user: 'u', password: 'p', accountSid: 'a' },
    { body: {} },
    { code: 'credentials_incomplete', retryable: false },
  ],
  ['azure-sms', 'sms', { accessKey: 'nonsense' }, { body: {} }, { code: 'credentials_incomplete', retryable: false }],
];
