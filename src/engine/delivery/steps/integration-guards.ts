import { Injectable } from '@nestjs/common';
import type { ProviderError } from '#libs/channels';
import { AppLogger } from '#libs/http-kit';
import type { ActiveIntegration } from '../../../channels/integrations/index.js';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import { IntegrationBreakers } from '../queues/integration-breakers.js';
import { IntegrationPaces } from '../queues/integration-paces.js';
import { environmentOf } from '../run/run.js';
import type { Sending } from './message-effects.js';

/** What stands between a message and its provider: the limit of the integration, and whether the provider is up. */
@Injectable()
export class IntegrationGuards {
  constructor(
    private readonly paces: IntegrationPaces,
    private readonly breakers: IntegrationBreakers,
    private readonly queues: DeliveryQueues,
    private readonly logger: AppLogger,
  ) {}

  isDown(integration: ActiveIntegration): boolean {
    return this.breakers.isOpen(integration, this.queues.now());
  }

  /** Resolves when the message may leave. @throws {HeldBack} when it has to come again */
  async turn({ task, integration, progress }: Sending): Promise<void> {
    // The provider may have it, and remembers its key for some minutes only.
    const isGuarded = progress.uncertainSince === undefined;
    if (isGuarded && this.isDown(integration)) await this.admit(task, integration);
    await this.paces.turn(integration, () => this.queues.now());
    if (isGuarded) await this.admit(task, integration);
  }

  succeeded({ task, integration }: Sending): Promise<void> {
    return this.noting(integration, () =>
      this.breakers.succeeded(environmentOf(task.run), integration, this.queues.now()),
    );
  }

  failed({ task, integration }: Sending, messageId: string, error: ProviderError): Promise<void> {
    const environmentId = environmentOf(task.run);
    const now = this.queues.now();
    return this.noting(integration, async () => {
      await this.paces.note(environmentId, integration, error, now);
      await this.breakers.failed(environmentId, integration, messageId, error, now);
    });
  }

  private admit({ run }: Sending['task'], integration: ActiveIntegration): Promise<void> {
    return this.breakers.admit(environmentOf(run), integration, this.queues.now());
  }

  /** The outcome of the call counts whatever becomes of this. */
  private async noting({ id: integrationId }: ActiveIntegration, note: () => Promise<void>): Promise<void> {
    try {
      await note();
    } catch (err) {
      this.logger.event('warn', 'the state of an integration was not stored', { err, integrationId });
    }
  }
}
