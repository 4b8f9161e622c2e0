import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { findProvider } from '#libs/channels';
import { type ActiveIntegration, IntegrationsService } from '../../integrations/index.js';
import type { ResolvedChannel } from '../../subscribers/index.js';
import { tenantOf } from '../run/run.js';
import type { StepTask } from '../run/step-handler.js';

/** A subscriber's entry for a chat or push provider, and the integration that serves it. */
export interface ServedEntry {
  readonly entry: ResolvedChannel;
  /** Tells the entries of a subscriber apart, without secrets. */
  readonly key: string;
  readonly integration: ActiveIntegration | undefined;
}

/** Finds what a subscriber can be reached with on chat or push. */
@Injectable()
export class ChannelEntries {
  constructor(private readonly integrations: IntegrationsService) {}

  async find({ run }: StepTask, channel: 'chat' | 'push'): Promise<ServedEntry[]> {
    const own = run.facts.subscriber.channels.filter(({ providerId }) => findProvider(providerId, channel));
    if (own.length === 0) return [];
    const active = await this.integrations.candidates(tenantOf(run.event), channel);
    return own.map((entry) => ({
      entry,
      key: createHash('sha1').update(`${entry.providerId}:${entry._integrationId}`).digest('base64url').slice(0, 12),
      integration: active.find(({ id, providerId }) => id === entry._integrationId && providerId === entry.providerId),
    }));
  }
}
