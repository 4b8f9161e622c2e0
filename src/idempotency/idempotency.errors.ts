import { defineError } from '#libs/http-kit';

export const IdempotencyKeyReused = defineError(
  422,
  'idempotency_key_reused',
  'This Idempotency-Key was used on this route with another body or by another API key. Take a new key for a new request.',
);

export const IdempotencyKeyInProgress = defineError(
  409,
  'idempotency_key_in_progress',
  'A request with this Idempotency-Key is being carried out. Send it again in a second to get its result.',
  { retryAfterSeconds: 1 },
);
