import { defineError } from '#libs/http-kit';

export const SubscriberNotFound = defineError(
  404,
  'subscriber_not_found',
  (subscriberId: string) =>
    `This environment has no subscriber '${subscriberId}'. Create it with POST /v1/subscribers or check the API key.`,
  ['{subscriberId}'],
);

export const SubscriberAlreadyExists = defineError(
  409,
  'subscriber_already_exists',
  (subscriberId: string) =>
    `This environment already has a subscriber '${subscriberId}'. Leave out failIfExists to update it.`,
  ['ada'],
);

export const DeletionPending = defineError(
  503,
  'deletion_pending',
  'A worker still holds something for this subscriber, so it is not known whether it is sent. The deletion goes on. Send the request again to get its outcome.',
  { retryAfterSeconds: 1 },
);

export const NoActiveIntegration = defineError(
  400,
  'no_active_integration',
  (missing: readonly MissingIntegration[]) => missing.map(describeMissing).join(' '),
  [[{ providerId: 'discord' }]],
);

export interface MissingIntegration {
  readonly providerId: string;
  readonly integrationIdentifier?: string | null | undefined;
}

export function describeMissing({ providerId, integrationIdentifier }: MissingIntegration): string {
  const which = integrationIdentifier ? ` with the identifier '${integrationIdentifier}'` : '';
  return `This environment has no active ${providerId} integration${which}. Create one with POST /v1/integrations first.`;
}
