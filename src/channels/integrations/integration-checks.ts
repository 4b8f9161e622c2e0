import { Injectable } from '@nestjs/common';
import { ChannelRegistry, ProviderError } from '#libs/channels';
import { shown, ValidationFailed } from '#libs/http-kit';
import { type IntegrationDraft, trackingFaults, usabilityFaults } from './integration-draft.js';
import { IntegrationCheckResponse } from './integration.response.js';
import { CredentialCheckFailed } from './integrations.errors.js';

const CHECK_TIMEOUT_MS = 10_000;

@Injectable()
export class IntegrationChecks {
  constructor(private readonly channels: ChannelRegistry) {}

  /**
   * @param live whether to test the credentials at the provider
   */
  async assertSound(draft: IntegrationDraft, live: boolean): Promise<void> {
    const misplaced = trackingFaults(draft);
    if (misplaced.length > 0) throw new ValidationFailed(misplaced);
    if (!draft.active && !live) return;
    const faults = usabilityFaults(draft);
    if (faults.length > 0) throw new ValidationFailed(faults);
    if (live) await this.testLive(draft);
  }

  async ask(draft: IntegrationDraft): Promise<IntegrationCheckResponse> {
    const faults = usabilityFaults(draft);
    if (faults.length > 0) return shown(IntegrationCheckResponse, { result: 'incomplete', reason: faults.join('; ') });
    if (!this.isOffered(draft)) return shown(IntegrationCheckResponse, { result: 'not_offered' });
    const refusal = await this.refusal(draft);
    return shown(
      IntegrationCheckResponse,
      refusal === undefined ? { result: 'accepted' } : { result: 'refused', reason: refusal.message },
    );
  }

  private async testLive(draft: IntegrationDraft): Promise<void> {
    if (!this.isOffered(draft)) return;
    const refusal = await this.refusal(draft);
    if (refusal !== undefined) throw new CredentialCheckFailed(asSentence(refusal.message), refusal);
  }

  private isOffered({ channel, providerId }: IntegrationDraft): boolean {
    return this.channels.get(channel, providerId)?.check !== undefined;
  }

  private async refusal({ channel, providerId, credentials }: IntegrationDraft): Promise<ProviderError | undefined> {
    try {
      await this.channels.check(channel, providerId, credentials, CHECK_TIMEOUT_MS);
      return undefined;
    } catch (error) {
      if (error instanceof ProviderError) return error;
      throw error;
    }
  }
}

/** Providers may omit the full stop. */
function asSentence(text: string): string {
  return text.replace(/[^.!?]$/, '$&.');
}
