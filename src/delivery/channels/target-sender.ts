import { Injectable } from '@nestjs/common';
import { ChannelRegistry, ProviderError, type SendResult } from '#libs/channels';
import { AppConfig } from '#libs/config';
import { DETAIL } from '../../execution-details/index.js';
import type { ActiveIntegration } from '../../integrations/index.js';
import { messageIdFor } from '../../messages/index.js';
import type { StepTask } from '../steps/step-handler.js';
import { placesOfOneEnvironment } from '../work/lane-board.js';
import { LineTooSlow, Turnstile } from '../work/turnstile.js';
import { afterFailure, notTried, type RetryPolicy } from './attempt.js';
import type { ChannelShape, RenderedContent, Target } from './channel-shape.js';
import { MessageJournal } from './message-journal.js';

const SHARE_OF_ONE_INTEGRATION = 0.8;

/** What became of one target, as far as it has come. */
export type TargetResult =
  | { readonly kind: 'sent'; readonly providerId: string; readonly invalidTokens?: readonly string[] }
  | { readonly kind: 'retry'; readonly at: Date; readonly error: string; readonly providerId: string }
  /** It was not tried: the integration has much to do and is slow. */
  | { readonly kind: 'busy'; readonly at: Date }
  | {
      readonly kind: 'failed';
      readonly error: string;
      readonly providerId?: string;
      readonly invalidTokens?: readonly string[];
    };

/** Sends one message to one target: over its integrations, until one takes it, or later again. */
@Injectable()
export class TargetSender {
  private readonly policy: RetryPolicy;
  private readonly timeoutMs: number;
  private readonly turns = new Turnstile();
  /** Most that one integration has in hand: the environment has places left for what goes another way. */
  private readonly hold: number;

  constructor(
    private readonly registry: ChannelRegistry,
    private readonly journal: MessageJournal,
    config: AppConfig,
  ) {
    this.policy = {
      maxAttempts: config.get('DELIVERY_MAX_ATTEMPTS'),
      baseMs: config.get('DELIVERY_RETRY_BASE_MS'),
      capMs: config.get('DELIVERY_RETRY_MAX_MS'),
    };
    this.timeoutMs = config.get('DELIVERY_TIMEOUT_MS');
    this.hold = Math.max(1, Math.floor(SHARE_OF_ONE_INTEGRATION * placesOfOneEnvironment(config)));
  }

  /** Changes the step's `attempt` and `tried`; what it did lies in the run's effects. */
  async send(task: StepTask, shape: ChannelShape, content: RenderedContent, target: Target): Promise<TargetResult> {
    const { state } = task;
    for (;;) {
      const [integration, ...others] = notTried(target.integrations, state);
      if (integration === undefined) return { kind: 'failed', error: 'No integration is left.' };
      const attempt = state.attempt + 1;
      const outcome = await this.inTurn(task, shape, target, integration);
      if (outcome instanceof LineTooSlow) {
        return { kind: 'busy', at: new Date(task.now.getTime() + outcome.retryAfterMs) };
      }
      if (!(outcome instanceof ProviderError)) {
        this.journal.sent(task, shape, content, target, integration, outcome);
        const { invalidTokens } = outcome;
        return { kind: 'sent', providerId: integration.providerId, ...(invalidTokens && { invalidTokens }) };
      }
      const after = afterFailure(outcome, { attempt, hasNext: others.length > 0 }, this.policy, task.now);
      this.journal.refused(task, shape, content, target, integration, outcome, after.kind !== 'give_up');
      if (after.kind === 'next_integration') {
        state.tried = [...(state.tried ?? []), integration.id];
        state.attempt = 0;
        continue;
      }
      const { providerId } = integration;
      const { message: error, invalidTokens } = outcome;
      if (after.kind === 'retry') return { kind: 'retry', at: after.at, error, providerId };
      return { kind: 'failed', error, providerId, ...(invalidTokens && { invalidTokens }) };
    }
  }

  /** Who waits for a turn has not begun: neither the trail nor the provider's time limit knows of it. */
  private async inTurn(
    task: StepTask,
    shape: ChannelShape,
    target: Target,
    integration: ActiveIntegration,
  ): Promise<SendResult | ProviderError | LineTooSlow> {
    const { id, providerId } = integration;
    const own = this.registry.get(shape.channel, providerId)?.maxConcurrent ?? Number.POSITIVE_INFINITY;
    const limits = { most: Math.min(own, this.hold), hold: this.hold };
    try {
      return await this.turns.through(id, limits, () => this.attempt(task, shape, target, integration));
    } catch (error) {
      if (error instanceof LineTooSlow || error instanceof ProviderError) return error;
      throw error;
    }
  }

  /** @throws {ProviderError} */
  private async attempt(
    { run, state, now }: StepTask,
    { channel }: ChannelShape,
    target: Target,
    integration: ActiveIntegration,
  ): Promise<SendResult> {
    const { id, identifier, name, providerId } = integration;
    if (state.attempt === 0) {
      const raw = { _id: id, identifier, name, providerId };
      run.effects.detail(state, DETAIL.integrationSelected, now, { providerId, raw });
    }
    const messageId = messageIdFor({
      notificationId: run.record._id,
      jobId: state._id,
      target: target.key,
    }).toHexString();
    return this.registry.send(channel, providerId, await target.compose(integration, messageId), {
      credentials: integration.credentials,
      idempotencyKey: messageId,
      timeoutMs: this.timeoutMs,
    });
  }
}
