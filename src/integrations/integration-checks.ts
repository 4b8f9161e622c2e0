import { Injectable } from '@nestjs/common';
import { ChannelRegistry, ProviderError } from '#libs/channels';
import { ValidationFailed } from '#libs/http-kit';
import { type IntegrationDraft, usabilityFaults } from './integration-draft.js';
import { CredentialCheckFailed } from './integrations.errors.js';

const CHECK_TIMEOUT_MS = 10_000;

@Injectable()
export class IntegrationChecks {
  constructor(private readonly channels: ChannelRegistry) {}

  /**
   * @param live whether to test the credentials at the provider
   * @throws {ValidationFailed} @throws {CredentialCheckFailed}
   */
  async assertSound(draft: IntegrationDraft, live: boolean): Promise<void> {
    if (!draft.active && !live) return;
    const faults = usabilityFaults(draft);
    if (faults.length > 0) throw new ValidationFailed(faults);
    if (live) await this.testLive(draft);
  }

  private async testLive({ channel, providerId, credentials }: IntegrationDraft): Promise<void> {
    if (this.channels.get(channel, providerId)?.check === undefined) return;
    try {
      await this.channels.check(channel, providerId, credentials, CHECK_TIMEOUT_MS);
    } catch (error) {
      if (error instanceof ProviderError) throw new CredentialCheckFailed(error.message, error);
      throw error;
    }
  }
}
