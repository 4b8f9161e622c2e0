import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { PipelineStage } from 'mongoose';
import type { TenantModel } from '#libs/persistence';
import type { TenantContext } from '#libs/common';
import { type ActiveIntegration, IntegrationsService } from '../integrations/index.js';
import { linked, type LinkedCredentials, mergeStage, type TokenMode } from './credentials-pipeline.js';
import type { ChannelCredentialsDto } from './subscriber.dto.js';
import { showSubscriber, type SubscriberResponse } from './subscriber.response.js';
import { Subscriber } from './subscriber.schema.js';
import { type MissingIntegration, NoActiveIntegration, SubscriberNotFound } from './subscribers.errors.js';

/** Credentials of one caller's entries, linked to integrations as far as there are any. */
export interface LinkResult {
  readonly entries: readonly LinkedCredentials[];
  readonly missing: readonly MissingIntegration[];
}

/** Keeps what subscribers are reached with through chat and push providers. */
@Injectable()
export class SubscriberCredentialsService {
  constructor(
    @InjectModel(Subscriber.name) private readonly subscribers: TenantModel<Subscriber>,
    private readonly integrations: IntegrationsService,
  ) {}

  /**
   * Sets credentials of one provider.
   * @throws {SubscriberNotFound} @throws {NoActiveIntegration}
   */
  async set(
    tenant: TenantContext,
    subscriberId: string,
    dto: ChannelCredentialsDto,
    mode: TokenMode,
  ): Promise<SubscriberResponse> {
    const { entries, missing } = await this.link(tenant, [dto]);
    if (missing.length > 0) {
      const known = await this.subscribers.exists({ _environmentId: tenant.environmentId, subscriberId });
      throw known === null ? new SubscriberNotFound(subscriberId) : new NoActiveIntegration(missing);
    }
    return showSubscriber(await this.merge(tenant, subscriberId, entries, mode));
  }

  /** Finds the integration of each entry. Each is looked up once, however many entries name it. */
  async link(tenant: TenantContext, dtos: readonly ChannelCredentialsDto[]): Promise<LinkResult> {
    const known = new Map<string, Promise<ActiveIntegration | undefined>>();
    const find = ({
      providerId,
      integrationIdentifier,
    }: ChannelCredentialsDto): Promise<ActiveIntegration | undefined> => {
      const identifier = integrationIdentifier || undefined;
      const key = JSON.stringify([providerId, identifier]);
      const found = known.get(key) ?? this.integrations.findActiveByProvider(tenant, providerId, identifier);
      known.set(key, found);
      return found;
    };
    const entries: LinkedCredentials[] = [];
    const missing: MissingIntegration[] = [];
    for (const dto of dtos) {
      const integration = await find(dto);
      if (integration === undefined) missing.push(dto);
      else entries.push(linked(dto, integration));
    }
    return { entries, missing };
  }

  /** Writes linked entries in one step. @throws {SubscriberNotFound} */
  async merge(
    tenant: TenantContext,
    subscriberId: string,
    entries: readonly LinkedCredentials[],
    mode: TokenMode,
  ): Promise<Subscriber> {
    const row = await this.subscribers
      .findOneAndUpdate({ _environmentId: tenant.environmentId, subscriberId }, mergePipeline(entries, mode), {
        returnDocument: 'after',
        updatePipeline: true,
      })
      .lean()
      .exec();
    if (row === null) throw new SubscriberNotFound(subscriberId);
    return row;
  }

  /** Removes all entries of a provider; one that has none is no error. @throws {SubscriberNotFound} */
  async remove(tenant: TenantContext, subscriberId: string, providerId: string): Promise<void> {
    const { matchedCount } = await this.subscribers.updateOne(
      { _environmentId: tenant.environmentId, subscriberId },
      { $pull: { channels: { providerId } } },
    );
    if (matchedCount === 0) throw new SubscriberNotFound(subscriberId);
  }

  /** Takes device tokens away that a provider called dead. An unknown subscriber has none: no error. */
  async removeDeviceTokens(
    tenant: TenantContext,
    subscriberId: string,
    providerId: string,
    tokens: readonly string[],
  ): Promise<void> {
    if (tokens.length === 0) return;
    const dead = [...tokens];
    await this.subscribers.updateOne(
      { _environmentId: tenant.environmentId, subscriberId },
      { $pull: { 'channels.$[entry].credentials.deviceTokens': { $in: dead } } },
      { arrayFilters: [{ 'entry.providerId': providerId, 'entry.credentials.deviceTokens': { $in: dead } }] },
    );
  }
}

/** The update that merges entries one after the other. */
export function mergePipeline(entries: readonly LinkedCredentials[], mode: TokenMode): PipelineStage.Set[] {
  return entries.map((entry) => mergeStage(entry, mode));
}
