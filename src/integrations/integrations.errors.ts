import type { Channel } from '#libs/channels';
import { AppException } from '#libs/http-kit';

export class IntegrationNotFound extends AppException {
  constructor(id: string) {
    super(
      404,
      'integration_not_found',
      `This environment has no integration '${id}'. List them with GET /v1/integrations.`,
    );
  }
}

export class IntegrationIdentifierTaken extends AppException {
  constructor(identifier: string) {
    super(
      409,
      'integration_identifier_taken',
      `This environment already has an integration with the identifier '${identifier}'. Choose another one or leave it out.`,
    );
  }
}

export class InAppIntegrationExists extends AppException {
  constructor() {
    super(
      409,
      'in_app_integration_exists',
      'This environment already has its in-app integration. Change that one with PUT /v1/integrations/{integrationId}.',
    );
  }
}

export class NothingToUpdate extends AppException {
  constructor() {
    super(
      400,
      'nothing_to_update',
      'The body changes nothing. Send at least one of name, identifier, _environmentId, credentials, active and conditions.',
    );
  }
}

/** The live check of credentials failed; the reason is the provider's, without secrets. */
export class CredentialCheckFailed extends AppException {
  constructor(reason: string, cause: unknown) {
    super(
      400,
      'credential_check_failed',
      `The provider did not accept the credentials: ${reason} Correct them, or leave out 'check' to store them untested.`,
      { cause },
    );
  }
}

export class PrimaryNotSupported extends AppException {
  constructor(channel: Channel) {
    super(
      400,
      'primary_not_supported',
      `Integrations of the channel ${channel} have no primary one. Only those of email and sms do.`,
    );
  }
}

export class CallbacksNotSupported extends AppException {
  constructor(channel: Channel, providerId: string) {
    super(
      400,
      'callbacks_not_supported',
      `There are status callbacks for email and sms only, not for ${providerId} on the channel ${channel}.`,
    );
  }
}

export class NoCredentials extends AppException {
  constructor(id: string) {
    super(
      400,
      'integration_without_credentials',
      `The integration '${id}' has no credentials. Set them with PUT /v1/integrations/{integrationId}.`,
    );
  }
}

/** Too many callers changed the same records at the same moment. */
export class TooMuchContention extends AppException {
  constructor() {
    super(
      409,
      'too_much_contention',
      'Too many changes of the same integrations at the same moment. Nothing of this one was lost; send it again.',
      { retryAfterSeconds: 1, logLevel: 'warn' },
    );
  }
}
