import { AppException } from '#libs/http-kit';

export class CallbackTargetNotFound extends AppException {
  constructor(integrationId: string) {
    super(
      404,
      'callback_target_not_found',
      `There is no active integration '${integrationId}' whose provider reports by callbacks. Check the address that is configured at the provider.`,
    );
  }
}

export class CallbackNotAuthentic extends AppException {
  constructor() {
    super(
      401,
      'callback_not_authentic',
      "The callback does not prove that it comes from the provider. Set the integration's credential 'callbackSecret' to what the provider signs with.",
      { logLevel: 'warn' },
    );
  }
}

/** What proves the origin could not be fetched; the provider tries again later. */
export class CallbackNotVerifiable extends AppException {
  constructor(cause: unknown) {
    super(
      503,
      'callback_not_verifiable',
      'The origin of the callback cannot be checked at the moment. Send it again.',
      {
        cause,
        logLevel: 'warn',
        retryAfterSeconds: 30,
      },
    );
  }
}

export class CallbackUnreadable extends AppException {
  constructor(reason: string, cause: unknown) {
    super(400, 'callback_unreadable', reason, { cause, logLevel: 'warn' });
  }
}

export class TooManyCallbackEvents extends AppException {
  constructor(count: number, limit: number) {
    super(
      413,
      'too_many_callback_events',
      `The callback has ${count} events, at most ${limit} are taken in one call. Let the provider send smaller batches.`,
    );
  }
}
