import { defineError } from '#libs/http-kit';

export const CallbackTargetNotFound = defineError(
  404,
  'callback_target_not_found',
  (integrationId: string) =>
    `There is no active integration '${integrationId}' whose provider sends callbacks. Check the URL that is configured at the provider.`,
  ['{integrationId}'],
);

export const CallbackHostInvalid = defineError(
  400,
  'callback_host_invalid',
  'The header Host, or X-Forwarded-Host from a trusted proxy, is not a valid host. Set PUBLIC_URL to the URL that the provider calls.',
);

export const CallbackNotAuthentic = defineError(
  401,
  'callback_not_authentic',
  "The callback could not be authenticated, or it is too old. Set the integration's credential 'callbackSecret' to the secret that the provider signs with, and check the clock.",
  { logLevel: 'warn' },
);

export const CallbackReplayed = defineError(
  401,
  'callback_replayed',
  'The signature of this callback was already used with different content. Only the provider can sign new content.',
  { logLevel: 'warn' },
);

/** The verification key could not be fetched; the provider tries again later. */
export const CallbackNotVerifiable = defineError(
  503,
  'callback_not_verifiable',
  (_cause: unknown) => 'The origin of the callback cannot be verified at the moment. Send it again.',
  [undefined],
  (cause) => ({
    cause,
    logLevel: 'warn',
    retryAfterSeconds: 30,
  }),
);

export const CallbackUnreadable = defineError(
  400,
  'callback_unreadable',
  (reason: string, _cause: unknown) => reason,
  ['The body of the callback cannot be read; the provider may use another format.', undefined],
  (_reason, cause) => ({ cause, logLevel: 'warn' }),
);

export const TooManyCallbackEvents = defineError(
  413,
  'too_many_callback_events',
  (count: number, limit: number) =>
    `The callback has ${count} events; at most ${limit} are accepted per call. Configure the provider to send smaller batches.`,
  [6000, 5000],
);
