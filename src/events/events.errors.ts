import { AppException } from '#libs/http-kit';

/** Clients of the compatible system compare the text, so it is the code itself. */
export class TriggerNotFound extends AppException {
  constructor() {
    super(422, 'workflow_not_found', 'workflow_not_found');
  }
}

export class PayloadIncomplete extends AppException {
  constructor(missing: readonly string[]) {
    super(400, 'payload_incomplete', `payload is missing required key(s) and type(s): ${missing.join(', ')}`);
  }
}

export class TriggerIncomplete extends AppException {
  constructor(missing: readonly string[]) {
    super(400, 'trigger_incomplete', `Trigger is missing: ${missing.join(', ')}`);
  }
}

export class EventTooLarge extends AppException {
  constructor(bytes: number, limit: number) {
    super(
      413,
      'event_too_large',
      `The event would take ${bytes} bytes; ${limit} is the most. Name fewer recipients, use a topic, or shorten the payload.`,
    );
  }
}
