import { defineError } from '#libs/http-kit';

export const UnknownApplication = defineError(
  400,
  'application_identifier_unknown',
  "No environment has this application identifier. GET /v1/environments/me shows yours as 'identifier'.",
);

export const InAppInactive = defineError(
  404,
  'in_app_integration_inactive',
  "The in-app integration of this environment is not active. Set its field 'active' to true.",
);

export const HmacInvalid = defineError(
  400,
  'hmac_invalid',
  "The HMAC is missing or does not match the subscriber. Your server makes it: the HMAC-SHA256 of the subscriber's id in hexadecimal digits, keyed with the oldest API key of the environment. The Inbox and the bell take it as subscriberHash. For development without a server, set hmac to false in the credentials of the in-app integration.",
);

export const TooManySessions = defineError(
  429,
  'too_many_sessions',
  (retryAfterSeconds: number) =>
    `Too many sessions were created from this address. Try again in ${retryAfterSeconds} s.`,
  [60],
  (retryAfterSeconds) => ({ retryAfterSeconds }),
);

/** One text for all reasons, so that it does not help to guess a token. */
export const SessionInvalid = defineError(
  401,
  'unauthorized',
  "The session token is missing, expired or not valid. Create a session and send its token as 'Authorization: Bearer <token>'.",
);
