import { defineError } from '../errors/define-error.js';

export const MalformedBody = defineError(
  400,
  'malformed_body',
  (text: string, _cause?: unknown) => text,
  ['The body is not valid JSON.'],
  (_text, cause?) => ({ cause }),
);

export const BodyTooLarge = defineError(
  413,
  'body_too_large',
  (limit: number) => `The body is larger than the limit of ${limit} bytes for this route.`,
  [1_048_576],
);

export const BodyTooSlow = defineError(
  408,
  'request_timeout',
  'The body arrived too slowly. Send it again over a faster connection or in smaller parts.',
);

/** Not JSON, another charset, or an unknown content encoding. */
export const UnsupportedBody = defineError(415, 'unsupported_media_type', (text: string) => text, [
  'Send the body as Content-Type: application/json.',
]);

export const TooManyBodies = defineError(
  503,
  'too_many_large_bodies',
  'Other requests use up the memory budget for request bodies. Send this one again in a moment.',
  { retryAfterSeconds: 1 },
);
