import { AppException } from '#libs/http-kit';

export class SubscriberNotFound extends AppException {
  constructor(subscriberId: string) {
    super(
      404,
      'subscriber_not_found',
      `This environment has no subscriber '${subscriberId}'. Create it with POST /v1/subscribers or check the API key.`,
    );
  }
}

export class NoActiveIntegration extends AppException {
  constructor(missing: readonly MissingIntegration[]) {
    super(400, 'no_active_integration', missing.map(describeMissing).join(' '));
  }
}

/** A provider, and perhaps one integration of it, for which the environment has nothing active. */
export interface MissingIntegration {
  readonly providerId: string;
  readonly integrationIdentifier?: string | null | undefined;
}

export function describeMissing({ providerId, integrationIdentifier }: MissingIntegration): string {
  const which = integrationIdentifier ? ` with the identifier '${integrationIdentifier}'` : '';
  return `This environment has no active ${providerId} integration${which}. Create one with POST /v1/integrations first.`;
}
