import { Injectable } from '@nestjs/common';
import { ChannelRegistry, ProviderError } from '#libs/channels';
import { ValidationFailed } from '#libs/http-kit';
import { type IntegrationDraft, usabilityFaults } from './integration-draft.js';
import { CredentialCheckFailed } from './integrations.errors.js';

/** Time for one live check of credentials. */
const CHECK_WITHIN_MS = 10_000;

/** Decides whether an integration may be stored as it is meant to be. */
@Injectable()
export class IntegrationChecks {
  constructor(private readonly channels: ChannelRegistry) {}

  /**
   * @param live also try the credentials at the provider
   * @throws {ValidationFailed} @throws {CredentialCheckFailed}
   */
  async assertSound(draft: IntegrationDraft, live: boolean): Promise<void> {
    if (!draft.active && !live) return;
    const faults = usabilityFaults(draft);
    if (faults.length > 0) throw new ValidationFailed(faults);
    if (live) await this.tryOut(draft);
  }

  /** A provider without a test that sends nothing passes. */
  private async tryOut({ channel, providerId, credentials }: IntegrationDraft): Promise<void> {
    if (this.channels.get(channel, providerId)?.check === undefined) return;
    try {
      await this.channels.check(channel, providerId, credentials, CHECK_WITHIN_MS);
    } catch (error) {
      if (error instanceof ProviderError) throw new CredentialCheckFailed(error.message, error);
      throw error;
    }
  }
}
