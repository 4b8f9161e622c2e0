import { AppException, ValidationFailed } from '#libs/http-kit';

export const MAX_KEY_LENGTH = 255;

export class IdempotencyKeyTooLong extends ValidationFailed {
  constructor(length: number) {
    super([`Idempotency-Key must be at most ${MAX_KEY_LENGTH} characters long, this one has ${length}`]);
  }
}

export class IdempotencyKeyReused extends AppException {
  constructor() {
    super(
      422,
      'idempotency_key_reused',
      'This Idempotency-Key was used on this route with another body. Take a new key for a new request.',
    );
  }
}

export class IdempotencyKeyInProgress extends AppException {
  constructor() {
    super(
      409,
      'idempotency_key_in_progress',
      'A request with this Idempotency-Key is being carried out. Send it again in a second to get its result.',
      { retryAfterSeconds: 1 },
    );
  }
}
