import { defineError } from '#libs/http-kit';

export const CancellationPending = defineError(
  503,
  'cancellation_pending',
  'A worker still holds what is to be canceled, so the outcome is not known yet. The cancellation goes on. Send the request again to get its outcome.',
  { retryAfterSeconds: 1 },
);
