import { defineError } from '#libs/http-kit';

export const IdempotencyKeyReused = defineError(
  422,
  'idempotency_key_reused',
  'This Idempotency-Key was already used on this route with a different body or API key. Use a new key for a new request.',
);

export const IdempotencyKeyInProgress = defineError(
  409,
  'idempotency_key_in_progress',
  (retryAfterSeconds: number) =>
    `A request with this Idempotency-Key is still being processed. Send it again in ${retryAfterSeconds} s to get its result. If its process has died, it is carried out then.`,
  [9],
  (retryAfterSeconds) => ({ retryAfterSeconds }),
);
