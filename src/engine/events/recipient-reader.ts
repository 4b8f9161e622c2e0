import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { IntegrationsService } from '../../management/integrations/index.js';
import type { RecipientSources } from '../delivery/index.js';
import { TopicsService } from '../../management/topics/index.js';
import type { ParsedRecipients } from './recipients.js';

/** Reports faults in the request that would otherwise fail later in a worker. */
@Injectable()
export class RecipientReader {
  constructor(
    private readonly topics: TopicsService,
    private readonly integrations: IntegrationsService,
  ) {}

  /** @throws {ValidationFailed} with every fault and its path */
  async read(tenant: TenantContext, parsed: ParsedRecipients): Promise<RecipientSources> {
    const faults = [
      ...(await this.missingTopics(tenant, parsed)),
      ...(await this.missingIntegrations(tenant, parsed.recipients)),
    ];
    if (faults.length > 0) throw new ValidationFailed(faults);
    return parsed.recipients;
  }

  private async missingTopics(tenant: TenantContext, { topicPaths }: ParsedRecipients): Promise<string[]> {
    if (topicPaths.size === 0) return [];
    const existing = await this.topics.findExistingKeys(tenant, [...topicPaths.keys()]);
    return [...topicPaths]
      .filter(([key]) => !existing.has(key))
      .map(([key, path]) => `${path} names the topic '${key}', which does not exist. Create it with POST /v1/topics.`);
  }

  private async missingIntegrations(tenant: TenantContext, { list }: RecipientSources): Promise<string[]> {
    const named = list.flatMap(({ subscriberId, channels = [] }) =>
      channels.map(({ providerId, integrationIdentifier: identifier }) => ({ subscriberId, providerId, identifier })),
    );
    const found = await this.integrations.findActiveByProvider(tenant, named);
    return named
      .filter((_one, place) => found[place] === undefined)
      .map(
        ({ subscriberId, providerId }) =>
          `to: channels of '${subscriberId}' name the provider '${providerId}', which has no active integration here.`,
      );
  }
}
