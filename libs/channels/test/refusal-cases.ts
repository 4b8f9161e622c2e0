import { type AnswerCase, LIMITED, PASSING, REFUSED, REJECTED } from './answer-cases.js';
import { CHAT } from './provider-case.js';

const KEY = { apiKey: 'k' };
const PAIR = { apiKey: 'k', secretKey: 's' };

/** Refusals that come with a success status, or whose words say whether the message may have been sent. */
export const REFUSALS_WITH_SUCCESS: AnswerCase[] = [
  [
    'infobip-email',
    'email',
    { apiKey: 'k', baseUrl: 'b' },
    { body: { messages: ['a', 'b'].map((to) => ({ to, status: { groupName: 'REJECTED' } })) } },
    REJECTED,
  ],
  ['mailtrap', 'email', KEY, { body: { success: false, errors: ['bad'] } }, REJECTED],
  ['mandrill', 'email', KEY, { body: { status: 'error', name: 'Other', message: 'oops' } }, REJECTED],
  ['plunk', 'email', KEY, { body: { success: false, message: 'no' } }, REJECTED],
  [
    'sparkpost',
    'email',
    KEY,
    { body: { results: { total_accepted_recipients: 0, total_rejected_recipients: 1, id: '1' } } },
    REJECTED,
  ],
  ['bulk-sms', 'sms', { apiToken: 'k' }, { body: [{ id: '1', status: { type: 'FAILED' } }] }, REJECTED],
  ['clickatell', 'sms', KEY, { body: { messages: [], error: { description: 'no' } } }, REJECTED],
  [
    'clicksend',
    'sms',
    { user: 'u', apiKey: 'k' },
    { body: { response_code: 'UNAUTHORIZED', response_msg: 'no' } },
    REJECTED,
  ],
  ['firetext', 'sms', KEY, { body: '2:1 Parameter missing' }, REJECTED],
  ['gupshup', 'sms', { user: 'u', password: 'p' }, { body: 'error | 102 | Authentication failed' }, REFUSED],
  ['forty-six-elks', 'sms', { user: 'u', password: 'p' }, { body: { id: '1', status: 'failed' } }, REJECTED],
  ['kannel', 'sms', { host: 'h', port: '1' }, { body: 'Authorization failed for sendsms' }, REFUSED],
  ['kannel', 'sms', { host: 'h', port: '1' }, { body: 'Temporal failure, try again later.' }, PASSING],
  [
    'nexmo',
    'sms',
    PAIR,
    { body: { messages: [{ status: '1' }, { status: '1' }] } },
    { ...LIMITED, outcome: 'not_sent' },
  ],
  [
    'plivo',
    'sms',
    { accountSid: 'a', token: 't' },
    { status: 202, body: { message_uuid: [], invalid_number: ['1'] } },
    { code: 'invalid_target', retryable: false },
  ],
  [
    'telnyx',
    'sms',
    { ...KEY, messageProfileId: 'p' },
    { body: { data: { to: [{ status: 'sending_failed' }] } } },
    REJECTED,
  ],
  ['termii', 'sms', KEY, { body: { code: 'error', message: 'no' } }, REJECTED],
  [
    'twilio',
    'sms',
    { accountSid: 'A', token: 't' },
    { status: 201, body: { sid: '1', status: 'failed', error_message: 'no' } },
    REJECTED,
  ],
  ['slack', 'chat', {}, { body: { ok: false, error: 'no_service' } }, REJECTED],
  ['zulip', 'chat', {}, { body: { ok: false, error: 'no stream' } }, REJECTED],
  [
    'msteams',
    'chat',
    {},
    { body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 504' },
    { ...PASSING, outcome: 'uncertain' },
  ],
  [
    'whatsapp-business',
    'chat',
    { apiToken: 't', phoneNumberIdentification: '1' },
    { body: { error: { code: 999, message: 'no' } } },
    REJECTED,
    { ...CHAT, phone: '1' },
  ],
  ['expo', 'push', KEY, { body: { errors: [{ message: 'bad request' }] } }, REJECTED],
  [
    'one-signal',
    'push',
    { applicationId: 'a', apiKey: 'k' },
    { body: { errors: ['All included players are not subscribed'] } },
    { code: 'invalid_target', retryable: false },
  ],
  [
    'resend',
    'email',
    KEY,
    { status: 409, body: { name: 'concurrent_idempotent_requests', message: 'busy' } },
    { ...PASSING, outcome: 'uncertain' },
  ],
];
