import { Injectable } from '@nestjs/common';
import { type Channel, ChannelRegistry, type OutboundMessage, ProviderError, type SendResult } from '#libs/channels';
import { AppConfig } from '#libs/config';
import { AppLogger } from '#libs/http-kit';
import { LineTooSlow, Turnstile, type TurnstileLimits } from '#libs/work';
import { messageIdFor } from '../../messages/store/index.js';
import { DeliveryQueues, slotsOfOneEnvironment } from '../queues/delivery-queues.js';
import { BegunCalls } from '../run/begun-calls.js';
import { logFailedCall, type ProviderCall, traceCall } from '../run/run-telemetry.js';
import { type ActiveIntegration, composerOf } from '../../../channels/integrations/index.js';
import { IntegrationGuards } from './integration-guards.js';
import type { Sending } from './message-effects.js';
import type { AfterFailure } from './retry-rules.js';

/** The share of an environment's limit that one integration may use, so that others are not blocked by a slow one. */
const SHARE_OF_ONE_INTEGRATION = 0.8;

/** Composes messages and hands them to providers. */
export abstract class ProviderTransport {
  /** Whether messages are better sent through another integration. */
  abstract isDown(integration: ActiveIntegration): boolean;

  /**
   * @param onTurn called when the message's turn has come
   * @throws {ProviderError} @throws {LineTooSlow} when too many messages wait for the integration
   */
  abstract send(sending: Sending, onTurn: () => void): Promise<SendResult>;

  /** @param next what follows a failed attempt */
  abstract noteFailure(sending: Sending, error: ProviderError, next: AfterFailure['kind']): Promise<void>;
}

@Injectable()
export class LiveTransport implements ProviderTransport {
  private readonly timeoutMs: number;
  private readonly turns = new Turnstile();
  /** Most messages that one integration sends at a time. */
  private readonly hold: number;

  constructor(
    private readonly registry: ChannelRegistry,
    private readonly queues: DeliveryQueues,
    private readonly calls: BegunCalls,
    private readonly logger: AppLogger,
    private readonly guards: IntegrationGuards,
    config: AppConfig,
  ) {
    this.timeoutMs = config.get('DELIVERY_TIMEOUT_MS');
    this.hold = Math.max(1, Math.floor(SHARE_OF_ONE_INTEGRATION * slotsOfOneEnvironment(config)));
  }

  isDown(integration: ActiveIntegration): boolean {
    return this.guards.isDown(integration);
  }

  /** A message that waits for its turn has not begun: its time limit starts with the turn. */
  async send(sending: Sending, onTurn: () => void): Promise<SendResult> {
    const { channel, integration } = sending;
    return this.turns.through(integration.id, this.limitsOf(channel.channel, integration), async () => {
      await this.guards.turn(sending);
      onTurn();
      return this.attempt(sending);
    });
  }

  private limitsOf(channel: Channel, { providerId, credentials }: ActiveIntegration): TurnstileLimits {
    const { hold } = this;
    const provider = this.registry.get(channel, providerId);
    return {
      hold,
      get most(): number {
        return Math.min(provider?.concurrency?.(credentials) ?? provider?.maxConcurrent ?? hold, hold);
      },
    };
  }

  async noteFailure(sending: Sending, error: ProviderError, next: AfterFailure['kind']): Promise<void> {
    logFailedCall(this.logger, callOf(sending), error, next);
    await this.guards.failed(sending, callOf(sending).messageId, error);
  }

  private async attempt(sending: Sending): Promise<SendResult> {
    const { task, channel, target, integration, progress } = sending;
    const call = callOf(sending);
    const { messageId, providerId } = call;
    const message = await compose(sending, messageId);
    // The process ends and waits for calls that have begun, so no other begins: another worker sends the message.
    if (this.queues.lanes.isClosed) throw new LineTooSlow(0);
    await this.calls.begin(task.run, {
      target: target.key,
      integrationId: integration.id,
      providerId,
      ...(progress.tried && { tried: progress.tried }),
      at: this.queues.now(),
      attempt: task.state.attempt,
    });
    const { credentials } = integration;
    const options = { credentials, idempotencyKey: messageId, timeoutMs: this.timeoutMs };
    const result = await traceCall(call, () => this.registry.send(channel.channel, providerId, message, options));
    await this.guards.succeeded(sending);
    return result;
  }
}

/** Composes what would be sent, for the witness of the step. Nothing leaves the process. */
export class RehearsalTransport implements ProviderTransport {
  isDown(): boolean {
    return false;
  }

  async send(sending: Sending, onTurn: () => void): Promise<SendResult> {
    onTurn();
    const { task, integration } = sending;
    const message = await compose(sending, callOf(sending).messageId);
    task.witness?.composed.push({ integration, message });
    return {};
  }

  async noteFailure(): Promise<void> {
    // The trail of the rehearsal has it.
  }
}

/** @throws {ProviderError} when the integration cannot be used */
async function compose({ target, integration }: Sending, messageId: string): Promise<OutboundMessage> {
  const composer = composerOf(integration);
  if (composer.credentialsError !== undefined) {
    throw new ProviderError(composer.credentialsError, { code: 'credentials_unreadable', retryable: false });
  }
  return target.compose(composer, messageId);
}

function callOf({ task: { run, state }, target, integration, progress }: Sending): ProviderCall {
  const key = { notificationId: run.record._id, jobId: state._id, target: target.key };
  const messageId = messageIdFor(key).toHexString();
  return { run, state, providerId: integration.providerId, messageId, attempt: progress.attempt + 1 };
}
