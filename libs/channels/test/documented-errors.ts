import type { Channel, OutboundMessage } from '../src/index.js';
import { type AnswerCase, AWS, LIMITED, PASSING, REFUSED, REJECTED } from './answer-cases.js';
import { CHAT, EMAIL_TO_ONE } from './provider-case.js';
import type { CannedAnswer } from './recording-server.js';

const GONE = { code: 'invalid_target', retryable: false, isGone: true };
const WRONG = { code: 'invalid_target', retryable: false };
const KEY = { apiKey: 'k' };
const PAIR = { apiKey: 'k', secretKey: 's' };
const TO_ADA = [{ address: 'ada@example.com' }];
const IN_ROOM = { ...CHAT, subscriberCredentials: { channel: 'C1' } };
const TO_PHONE = { ...CHAT, phone: '+15550100' };

type Given = readonly [answer: CannedAnswer, expected: Record<string, unknown>];

function errorsOf(
  [id, channel, credentials, message]: readonly [string, Channel, Record<string, unknown>, OutboundMessage?],
  ...cases: readonly Given[]
): AnswerCase[] {
  return cases.map(([answer, expected]) =>
    message === undefined
      ? [id, channel, credentials, answer, expected]
      : [id, channel, credentials, answer, expected, message],
  );
}

const json = (status: number, body: unknown, headers?: Record<string, string>): CannedAnswer => ({
  status,
  body,
  ...(headers && { headers }),
});

const sendgrid = (status: number, headers?: Record<string, string>): CannedAnswer =>
  json(status, { errors: [{ message: 'no', field: null }] }, headers);
const postmark = (status: number, code: number, words = 'no'): CannedAnswer =>
  json(status, { ErrorCode: code, Message: words });
const mandrill = (name: string): CannedAnswer => json(500, { status: 'error', code: -1, name, message: 'no' });
const ses = (type: string, status = 400): CannedAnswer =>
  json(status, { message: 'no' }, { 'x-amzn-errortype': `${type}:http://internal` });
const sns = (code: string, words: string, status = 400): CannedAnswer => ({
  status,
  headers: { 'content-type': 'text/xml' },
  body: `<ErrorResponse><Error><Code>${code}</Code><Message>${words}</Message></Error></ErrorResponse>`,
});
const mailjet = (status: number, code: string): CannedAnswer =>
  json(status, {
    Messages: [{ Status: 'error', Errors: [{ ErrorCode: code, ErrorMessage: 'no', StatusCode: status }] }],
  });
const resend = (status: number, name: string): CannedAnswer =>
  json(status, { statusCode: status, name, message: 'no' });
const twilio = (status: number, code: number): CannedAnswer => json(status, { code, message: 'no', status });
const vonage = (status: string): CannedAnswer => json(200, { messages: [{ status, 'error-text': 'no' }] });
const telnyx = (status: number, code: string): CannedAnswer => json(status, { errors: [{ code, title: 'no' }] });
const infobip = (name: string): CannedAnswer =>
  json(200, { messages: [{ status: { groupName: 'REJECTED', name, description: 'no' } }] });
const discord = (status: number, code: number): CannedAnswer => json(status, { code, message: 'no' });
const slack = (error: string): CannedAnswer => json(200, { ok: false, error });
const telegram = (status: number, description: string): CannedAnswer =>
  json(status, { ok: false, error_code: status, description });
const meta = (code: number, status = 400): CannedAnswer => json(status, { error: { code, message: 'no' } });
const expo = (error: string): CannedAnswer =>
  json(200, { data: [{ status: 'error', message: 'no', details: { error } }] });

/** What providers document about their errors: final, passing, a dead address, a limit with its time. */
export const DOCUMENTED_ERRORS: AnswerCase[] = [
  ...errorsOf(
    ['sendgrid', 'email', KEY],
    [sendgrid(400), REJECTED],
    [sendgrid(401), REFUSED],
    [sendgrid(413), REJECTED],
    // A time of 1970 has passed.
    [sendgrid(429, { 'x-ratelimit-reset': '1392815263' }), { ...LIMITED, retryAfterMs: 0 }],
    [sendgrid(429, { 'retry-after': '7' }), { ...LIMITED, retryAfterMs: 7_000 }],
    [sendgrid(503), PASSING],
  ),
  ...errorsOf(
    ['mailgun', 'email', { ...KEY, user: 'api', domain: 'mg.example.com' }],
    [json(400, { message: "'to' parameter is not a valid address" }), REJECTED],
    [{ status: 401, body: 'Forbidden' }, REFUSED],
    [json(404, { message: 'Domain not found' }), REJECTED],
    [json(429, { message: 'Too Many Requests' }, { 'x-ratelimit-reset': '5' }), { ...LIMITED, retryAfterMs: 5_000 }],
    [json(500, { message: 'Internal Server Error' }), PASSING],
  ),
  ...errorsOf(
    ['postmark', 'email', KEY, EMAIL_TO_ONE],
    [postmark(422, 300), REJECTED],
    [postmark(422, 400), REJECTED],
    [postmark(401, 10), REFUSED],
    [postmark(422, 406, 'Found inactive addresses: ada@example.com.'), { ...WRONG, deadAddresses: TO_ADA }],
    [postmark(429, 429), LIMITED],
    [postmark(503, 100), PASSING],
  ),
  ...errorsOf(
    ['resend', 'email', KEY],
    [resend(422, 'invalid_from_address'), REJECTED],
    [resend(403, 'invalid_api_key'), REFUSED],
    [
      json(429, { name: 'rate_limit_exceeded', message: 'no' }, { 'ratelimit-reset': '1' }),
      { ...LIMITED, retryAfterMs: 1_000 },
    ],
    [resend(429, 'monthly_quota_exceeded'), REJECTED],
    [resend(500, 'application_error'), PASSING],
  ),
  ...errorsOf(
    ['ses', 'email', AWS],
    [ses('MessageRejected'), REJECTED],
    [ses('MailFromDomainNotVerifiedException'), REJECTED],
    [ses('TooManyRequestsException', 429), LIMITED],
    [ses('LimitExceededException'), LIMITED],
    [ses('UnrecognizedClientException', 403), REFUSED],
    [ses('InternalFailure', 500), PASSING],
  ),
  ...errorsOf(
    ['mailjet', 'email', PAIR],
    [mailjet(400, 'mj-0003'), REJECTED],
    [mailjet(400, 'mj-0013'), REJECTED],
    [json(401, { ErrorMessage: 'API key authentication/authorization failure' }), REFUSED],
    [json(429, { ErrorMessage: 'Too many requests' }), LIMITED],
    [json(500, { ErrorMessage: 'no' }), PASSING],
  ),
  ...errorsOf(
    ['mandrill', 'email', KEY, EMAIL_TO_ONE],
    [mandrill('Invalid_Key'), REFUSED],
    [mandrill('PaymentRequired'), REJECTED],
    [mandrill('Unknown_Template'), REJECTED],
    [mandrill('GeneralError'), PASSING],
    [
      json(200, [{ email: 'ada@example.com', status: 'rejected', reject_reason: 'hard-bounce' }]),
      { code: 'rejected', retryable: false, deadAddresses: TO_ADA },
    ],
  ),
  ...errorsOf(
    ['sendinblue', 'email', KEY],
    [json(400, { code: 'invalid_parameter', message: 'no' }), REJECTED],
    [json(401, { code: 'unauthorized', message: 'Key not found' }), REFUSED],
    [json(402, { code: 'not_enough_credits', message: 'no' }), REJECTED],
    [json(429, { message: 'no' }, { 'x-sib-ratelimit-reset': '30' }), { ...LIMITED, retryAfterMs: 30_000 }],
    [json(503, { message: 'no' }), PASSING],
  ),
  ...errorsOf(
    ['mailersend', 'email', KEY, EMAIL_TO_ONE],
    [json(401, { message: 'Unauthenticated.' }), REFUSED],
    [json(422, { message: 'The given data was invalid.', errors: {} }), REJECTED],
    [json(429, { message: 'Too Many Attempts.' }, { 'retry-after': '59' }), { ...LIMITED, retryAfterMs: 59_000 }],
    [
      json(202, {
        warnings: [{ type: 'ALL_SUPPRESSED', recipients: [{ email: 'ada@example.com', reasons: ['hard_bounced'] }] }],
      }),
      { ...WRONG, deadAddresses: TO_ADA },
    ],
    [json(500, { message: 'Server Error' }), PASSING],
  ),
  ...errorsOf(
    ['sparkpost', 'email', KEY],
    [json(400, { errors: [{ code: '5002', message: 'no' }] }), REJECTED],
    [json(401, { errors: [{ message: 'Unauthorized.' }] }), REFUSED],
    [json(420, { errors: [{ code: '2102', message: 'Exceed Sending Limit (daily)' }] }), { retryable: true }],
    [json(429, { errors: [{ message: 'no' }] }), LIMITED],
    [json(503, { errors: [{ message: 'no' }] }), PASSING],
  ),
  ...errorsOf(
    ['twilio', 'sms', { accountSid: 'AC1', token: 't', from: '+1' }],
    [twilio(400, 21_211), GONE],
    [twilio(400, 21_610), GONE],
    [twilio(400, 21_408), REJECTED],
    [twilio(400, 21_611), LIMITED],
    [twilio(429, 20_429), LIMITED],
    [twilio(401, 20_003), REFUSED],
  ),
  ...errorsOf(
    ['nexmo', 'sms', PAIR],
    [vonage('1'), LIMITED],
    [vonage('5'), PASSING],
    [vonage('7'), GONE],
    [vonage('8'), REFUSED],
    [vonage('9'), REJECTED],
    [vonage('33'), GONE],
  ),
  ...errorsOf(
    ['telnyx', 'sms', { ...KEY, messageProfileId: 'p' }],
    [telnyx(400, '40300'), GONE],
    [telnyx(400, '40310'), GONE],
    [telnyx(400, '40318'), LIMITED],
    [telnyx(401, '10009'), REFUSED],
    [telnyx(422, '10015'), REJECTED],
  ),
  ...errorsOf(
    ['sns', 'sms', AWS],
    [sns('InvalidParameter', 'Invalid parameter: PhoneNumber Reason: +1 is not valid to publish to'), WRONG],
    [sns('InvalidParameter', 'Phone number is opted out'), GONE],
    [sns('Throttled', 'Rate exceeded', 429), LIMITED],
    [sns('AuthorizationError', 'User is not authorized', 403), REFUSED],
    [sns('InternalError', 'no', 500), PASSING],
  ),
  ...errorsOf(
    ['infobip-sms', 'sms', { apiKey: 'k', baseUrl: 'b' }],
    [infobip('REJECTED_NOT_ENOUGH_CREDITS'), REJECTED],
    [infobip('REJECTED_INVALID_DESTINATION'), WRONG],
    [infobip('REJECTED_FLOODING_FILTER'), LIMITED],
    [infobip('REJECTED_SYSTEM_ERROR'), PASSING],
    [json(401, { requestError: { serviceException: { text: 'Invalid login details' } } }), REFUSED],
  ),
  ...errorsOf(
    ['discord', 'chat', {}],
    [discord(404, 10_015), GONE],
    [discord(401, 50_027), GONE],
    [discord(400, 50_006), REJECTED],
    [json(429, { message: 'You are being rate limited.', retry_after: 0.57 }), { ...LIMITED, retryAfterMs: 570 }],
    [discord(503, 130_000), PASSING],
  ),
  ...errorsOf(
    ['slack-app', 'chat', { apiToken: 'xoxb-1' }, IN_ROOM],
    [slack('channel_not_found'), WRONG],
    [slack('is_archived'), GONE],
    [slack('msg_too_long'), REJECTED],
    [slack('not_allowed_token_type'), REFUSED],
    [slack('request_timeout'), PASSING],
    [json(429, { ok: false, error: 'ratelimited' }, { 'retry-after': '30' }), { ...LIMITED, retryAfterMs: 30_000 }],
  ),
  ...errorsOf(
    ['telegram', 'chat', { apiToken: '1:a' }, IN_ROOM],
    [telegram(403, 'Forbidden: bot was blocked by the user'), GONE],
    [telegram(400, 'Bad Request: chat not found'), GONE],
    [telegram(400, 'Bad Request: not enough rights to send text messages to the chat'), WRONG],
    [telegram(401, 'Unauthorized'), REFUSED],
    [json(429, { ok: false, parameters: { retry_after: 12 } }), { ...LIMITED, retryAfterMs: 12_000 }],
    [telegram(500, 'Internal Server Error'), PASSING],
  ),
  ...errorsOf(
    ['whatsapp-business', 'chat', { apiToken: 't', phoneNumberIdentification: '1' }, TO_PHONE],
    [meta(190, 401), REFUSED],
    [meta(131_031), REFUSED],
    [meta(131_026), WRONG],
    [meta(131_047), REJECTED],
    [meta(131_049), LIMITED],
    [meta(133_004, 503), PASSING],
  ),
  ...errorsOf(
    ['google-chat', 'chat', {}],
    [json(404, { error: { code: 404, message: 'no' } }), GONE],
    [json(403, { error: { code: 403, message: 'no' } }), REFUSED],
    [json(429, { error: { code: 429, message: 'no' } }), LIMITED],
  ),
  ...errorsOf(
    ['expo', 'push', KEY],
    [expo('DeviceNotRegistered'), { ...WRONG, invalidTokens: ['token-1'] }],
    [expo('MessageTooBig'), REJECTED],
    [expo('MessageRateExceeded'), LIMITED],
    [expo('MismatchSenderId'), REFUSED],
    [json(200, { errors: [{ code: 'TOO_MANY_REQUESTS', message: 'no' }] }), LIMITED],
  ),
];
