import type { Channel } from '#libs/channels';
import { defineError } from '#libs/http-kit';

export const IntegrationNotFound = defineError(
  404,
  'integration_not_found',
  (id: string) => `This environment has no integration '${id}'. List them with GET /v1/integrations.`,
  ['{integrationId}'],
);

export const OtherEnvironment = defineError(
  403,
  'other_environment',
  (id: string) =>
    `_environmentId '${id}' is not the environment of your API key. Leave it out, or use a key of that environment.`,
  ['64f0c1a2b3c4d5e6f7a8b9c0'],
);

export const IntegrationIdentifierTaken = defineError(
  409,
  'integration_identifier_taken',
  (identifier: string) =>
    `This environment already has an integration with the identifier '${identifier}'. Choose another one or leave it out.`,
  ['smtp-eu'],
);

export const InAppIntegrationExists = defineError(
  409,
  'in_app_integration_exists',
  'This environment already has an in-app integration. Change it with PUT /v1/integrations/{integrationId}.',
);

export const NothingToUpdate = defineError(
  400,
  'nothing_to_update',
  'The body changes nothing. Send at least one of name, identifier, _environmentId, credentials, active and conditions.',
);

export const CredentialCheckFailed = defineError(
  400,
  'credential_check_failed',
  (reason: string, _cause: unknown) =>
    `The check of the credentials failed. ${reason} Correct them, or omit 'check' to store them without a test.`,
  ['The SMTP server could not be reached: connect ECONNREFUSED 203.0.113.5:587.', undefined],
  (_reason, cause) => ({ cause }),
);

export const PrimaryNotSupported = defineError(
  400,
  'primary_not_supported',
  (channel: Channel) => `Integrations of the channel ${channel} cannot be primary. Only those of email and sms can.`,
  ['chat'],
);

export const SystemMailNotSupported = defineError(
  400,
  'system_mail_not_supported',
  (channel: Channel, providerId: string) =>
    `Herald's own mails go through integrations of the channel email that send, not through ${providerId} on the channel ${channel}.`,
  ['chat', 'slack'],
);

export const SystemMailProtected = defineError(
  403,
  'system_mail_protected',
  (id: string) =>
    `Herald sends invitations and links for new passwords through the integration '${id}', so changing it needs the scope 'admin'. Ask an owner, or connect another one.`,
  ['{integrationId}'],
);

export const CallbacksNotSupported = defineError(
  400,
  'callbacks_not_supported',
  (channel: Channel, providerId: string) =>
    `Status callbacks are supported for email and sms only, not for ${providerId} on the channel ${channel}.`,
  ['chat', 'slack'],
);

export const NoCredentials = defineError(
  400,
  'integration_without_credentials',
  (id: string) => `The integration '${id}' has no credentials. Set them with PUT /v1/integrations/{integrationId}.`,
  ['{providerOrIntegrationId}'],
);

export const CatcherInProduction = defineError(
  403,
  'catcher_in_production',
  'A catcher keeps messages instead of sending them, so it cannot be active in an environment of production. Use an API key of Development.',
);

export const TooMuchContention = defineError(
  409,
  'too_much_contention',
  'Too many requests are changing the same integrations at the same time. Send the request again.',
  { retryAfterSeconds: 1, logLevel: 'warn' },
);
