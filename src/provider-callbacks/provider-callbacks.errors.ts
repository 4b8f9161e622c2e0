import { defineError } from '#libs/http-kit';

export const CallbackTargetNotFound = defineError(
  404,
  'callback_target_not_found',
  (integrationId: string) =>
    `There is no active integration '${integrationId}' whose provider reports by callbacks. Check the address that is configured at the provider.`,
);

export const CallbackHostInvalid = defineError(
  400,
  'callback_host_invalid',
  'The header Host, or X-Forwarded-Host of a proxy that is trusted, names no host. Set PUBLIC_URL to the address that the provider calls.',
);

export const CallbackNotAuthentic = defineError(
  401,
  'callback_not_authentic',
  "The callback does not prove that it comes from the provider, or it is too old. Set the integration's credential 'callbackSecret' to what the provider signs with, and check the clock.",
  { logLevel: 'warn' },
);

export const CallbackReplayed = defineError(
  401,
  'callback_replayed',
  'The signature of this callback has come with another content before. Only the provider can sign a new one.',
  { logLevel: 'warn' },
);

/** The key that proves the origin could not be fetched; the provider tries again later. */
export const CallbackNotVerifiable = defineError(
  503,
  'callback_not_verifiable',
  (_cause: unknown) => 'The origin of the callback cannot be checked at the moment. Send it again.',
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
  (_reason, cause) => ({ cause, logLevel: 'warn' }),
);

export const TooManyCallbackEvents = defineError(
  413,
  'too_many_callback_events',
  (count: number, limit: number) =>
    `The callback has ${count} events, at most ${limit} are taken in one call. Let the provider send smaller batches.`,
);
