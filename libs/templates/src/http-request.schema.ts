import { z } from 'zod';
import {
  dependent,
  described,
  flag,
  list,
  named,
  object,
  oneOf,
  type Report,
  reportFaults,
  rule,
  text,
} from '#libs/validation';
import { parseTemplate } from './syntax.js';

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

export function template(maxLength: number): z.ZodString {
  return text(maxLength).superRefine((source, context) => {
    const result = source.length > maxLength ? undefined : parseTemplate(source);
    if (result?.ok === false) context.addIssue(`is not a valid template: ${result.message}`);
  });
}

const url = template(MAX_URL_LENGTH).superRefine((source, context) => {
  if (source.includes('{{')) return;
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
  method: described(oneOf(HTTP_METHODS).nullish(), { description: 'Method. Default: POST.', example: 'POST' }),
  url: described(url, {
    description: 'Absolute http or https URL; a template.',
    example: 'https://crm.example.com/orders/{{order.id}}',
  }),
  headers: described(
    list(header, { max: MAX_HEADERS, error: `must be an array of at most ${MAX_HEADERS} headers` }).nullish(),
    { description: 'Headers. With a body, `content-type` is `application/json` unless it is among them.' },
  ),
  body: described(
    dependent(z.union([bodyText, bodyFields]), (value) => (Array.isArray(value) ? bodyFields : bodyText)).nullish(),
    {
      description:
        'Body; a template. JSON, unless the headers have another `content-type`; or a list of the fields of a JSON object.',
      example: '{ "order": "{{order.id}}" }',
    },
  ),
  responseBodySchema: described(jsonObject('a JSON Schema').nullish(), {
    description: 'JSON Schema of the answer. What does not fit is named in the trail.',
  }),
  enforceSchemaValidation: described(flag().nullish(), {
    description: 'True: an answer that does not fit `responseBodySchema` fails the step. Default: false.',
  }),
  continueOnFailure: described(flag().nullish(), {
    description: 'True: the later steps run also if the request has failed. Default: false.',
  }),
  timeoutMs: described(wholeNumber(100, MAX_TIMEOUT_MS).nullish(), {
    description: 'Time for one attempt, in milliseconds; at most `DELIVERY_TIMEOUT_MS`, which is the default.',
    example: 5_000,
  }),
  maxAttempts: described(wholeNumber(1, MAX_ATTEMPTS).nullish(), {
    description:
      'Attempts in all, if the server does not answer, or answers with 408, 429 or 5xx. Default: `DELIVERY_MAX_ATTEMPTS`.',
    example: 3,
  }),
  sampleResponse: described(jsonObject('an answer').nullish(), {
    description: 'What dry runs take for the answer, because they send nothing.',
  }),
};

const checked = rule(object(httpRequestMembers), ({ body, method }, report) => {
  if (method === 'GET' && typeof body === 'string' && body.trim() !== '') report('must be absent with GET', 'body');
});

export type HttpRequestTemplate = z.infer<z.ZodObject<typeof httpRequestMembers>>;

/** Only of steps that send requests: others may have members of these names. */
export function checkHttpRequest(type: unknown, sent: unknown, report: Report): void {
  if (type === 'http_request') reportFaults(report, checked, sent);
}

/** The names of secrets in templates: `{{secrets.NAME}}`. */
export function secretNamesIn(sources: readonly string[]): string[] {
  const found = sources.flatMap((source) =>
    [...source.matchAll(/\bsecrets\.(\w{1,64})/g)].map((match) => match[1] ?? ''),
  );
  return [...new Set(found)];
}
