import { checkText, hasExpression, template } from '#libs/templates';
import {
  dependent,
  described,
  flag,
  inForm,
  list,
  named,
  object,
  oneOf,
  type RawObject,
  type Report,
  reportFaults,
  rule,
  text,
} from '#libs/validation';
import { z } from 'zod';

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

const MAX_URL_LENGTH = 5_000;
const MAX_HEADERS = 50;
const MAX_FIELDS = 200;
const MAX_VALUE_LENGTH = 10_000;
const MAX_BODY_LENGTH = 100_000;
const MAX_JSON_LENGTH = 32_768;
const MAX_TIMEOUT_MS = 60_000;
const MAX_ATTEMPTS = 10;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
/** Herald or the connection sets them. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'novu-signature',
]);

const url = template(MAX_URL_LENGTH).superRefine((source, context) => {
  if (hasExpression(source)) return;
  const parsed = URL.canParse(source) ? new URL(source) : undefined;
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    context.addIssue('must be an absolute http or https URL');
  } else if (parsed.username !== '' || parsed.password !== '') {
    context.addIssue('must not hold a user name or password: send an Authorization header, with a secret');
  }
});

const WRONG_HEADER = 'must be the name of a header';
const headerName = z.string({ error: WRONG_HEADER }).superRefine((name, context) => {
  if (!HEADER_NAME.test(name)) context.addIssue(WRONG_HEADER);
  else if (OWN_HEADERS.has(name.toLowerCase())) context.addIssue('must be another header: Herald sets this one');
});

const header = named(
  'HttpHeaderDto',
  object({
    key: described(headerName, { description: 'Name of the header.', example: 'authorization' }),
    value: described(template(MAX_VALUE_LENGTH), {
      description: 'Value; a template.',
      example: 'Bearer {{secrets.CRM_TOKEN}}',
    }),
  }),
);

const bodyField = named(
  'HttpBodyFieldDto',
  object({
    key: described(text(MAX_VALUE_LENGTH), { description: 'Name of the field.', example: 'orderId' }),
    value: described(template(MAX_VALUE_LENGTH), { description: 'Value; a template.', example: '{{order.id}}' }),
  }),
);

const bodyText = template(MAX_BODY_LENGTH);
const bodyFields = list(bodyField, { max: MAX_FIELDS, error: `must be an array of at most ${MAX_FIELDS} fields` });

const jsonObject = (what: string) =>
  z
    .record(z.string(), z.unknown(), { error: `must be ${what}, as an object` })
    .refine((value) => JSON.stringify(value).length <= MAX_JSON_LENGTH, {
      error: `must be at most ${MAX_JSON_LENGTH} characters as JSON`,
    });

const wholeNumber = (from: number, to: number) => {
  const error = `must be a whole number from ${from} to ${to}`;
  return z.int({ error }).min(from, { error }).max(to, { error });
};

/** The compatible system's names, and below them Herald's own. */
export const httpRequestMembers = {
  method: inForm(
    oneOf(HTTP_METHODS).nullish(),
    {
      title: 'Method',
      help: 'What the request asks for. POST sends something, GET reads something.',
      labels: {
        GET: 'GET (read)',
        POST: 'POST (send)',
        PUT: 'PUT (replace)',
        PATCH: 'PATCH (change)',
        DELETE: 'DELETE (remove)',
      },
    },
    { description: 'Method. Default: POST.', example: 'POST' },
  ),
  url: inForm(
    url,
    { title: 'URL', help: 'The address that is called. It can hold values such as {{order.id}}.', control: 'url' },
    {
      description: 'Absolute http or https URL; a template.',
      example: 'https://crm.example.com/orders/{{order.id}}',
    },
  ),
  headers: inForm(
    list(header, { max: MAX_HEADERS, error: `must be an array of at most ${MAX_HEADERS} headers` }).nullish(),
    { title: 'Headers', help: 'Names and values that go with the request, such as an authorization.' },
    { description: 'Headers. With a body, `content-type` is `application/json` unless it is among them.' },
  ),
  body: inForm(
    dependent(z.union([bodyText, bodyFields]), (value) => (Array.isArray(value) ? bodyFields : bodyText)).nullish(),
    {
      title: 'Body',
      help: 'What is sent, as JSON unless a header says otherwise. It can hold values.',
      control: 'code',
    },
    {
      description:
        'Body; a template. JSON, unless the headers have another `content-type`; or a list of the fields of a JSON object.',
      example: '{ "order": "{{order.id}}" }',
    },
  ),
  responseBodySchema: inForm(
    jsonObject('a JSON Schema').nullish(),
    {
      title: 'Expected answer',
      help: 'A JSON Schema of the answer. What does not fit is named in the trail.',
      control: 'json',
    },
    { description: 'JSON Schema of the answer. What does not fit is named in the trail.' },
  ),
  enforceSchemaValidation: inForm(
    flag().nullish(),
    { title: 'Fail if the answer does not fit', help: 'An answer that does not fit the expected one fails the step.' },
    { description: 'True: an answer that does not fit `responseBodySchema` fails the step. Default: false.' },
  ),
  continueOnFailure: inForm(
    flag().nullish(),
    { title: 'Go on after a failure', help: 'Run the later steps also if the request has failed.' },
    { description: 'True: the later steps run also if the request has failed. Default: false.' },
  ),
  timeoutMs: inForm(
    wholeNumber(100, MAX_TIMEOUT_MS).nullish(),
    { title: 'Time limit (milliseconds)', help: 'How long one attempt may take.' },
    {
      description: 'Time for one attempt, in milliseconds; at most `DELIVERY_TIMEOUT_MS`, which is the default.',
      example: 5_000,
    },
  ),
  maxAttempts: inForm(
    wholeNumber(1, MAX_ATTEMPTS).nullish(),
    { title: 'Attempts', help: 'How often it is tried in all if the server does not answer or has a fault.' },
    {
      description:
        'Attempts in all, if the server does not answer, or answers with 408, 429 or 5xx. Default: `DELIVERY_MAX_ATTEMPTS`.',
      example: 3,
    },
  ),
  sampleResponse: inForm(
    jsonObject('an answer').nullish(),
    {
      title: 'Sample answer',
      help: 'What trial runs take for the answer, because they send nothing.',
      control: 'json',
    },
    { description: 'What dry runs take for the answer, because they send nothing.' },
  ),
};

const checked = rule(object(httpRequestMembers), ({ body, method }, report) => {
  if (method === 'GET' && typeof body === 'string' && body.trim() !== '') report('must be absent with GET', 'body');
});

/** The content of such a step. */
export type HttpRequestTemplate = z.infer<z.ZodObject<typeof httpRequestMembers>>;

/** As runs have it. */
export type RequestTemplate = Partial<HttpRequestTemplate>;

/** Only of steps that send requests: others may have members of these names. */
export function checkRequest(sent: RawObject, report: Report): void {
  reportFaults(report, checked, sent);
  checkText(sent, report);
}

/** The names of secrets in templates: `{{secrets.NAME}}`. */
export function secretNamesIn(sources: readonly string[]): string[] {
  const found = sources.flatMap((source) =>
    [...source.matchAll(/\bsecrets\.(\w{1,64})/g)].map((match) => match[1] ?? ''),
  );
  return [...new Set(found)];
}
