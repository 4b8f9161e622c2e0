import { Injectable } from '@nestjs/common';
import { ChannelRegistry, ProviderError, type SendResult } from '#libs/channels';
import { AppConfig } from '#libs/config';
import { DETAIL } from '../../execution-details/index.js';
import type { ActiveIntegration } from '../../integrations/index.js';
import { messageIdFor } from '../../messages/index.js';
import type { StepTask } from '../steps/step-handler.js';
import { Turnstile } from '../work/turnstile.js';
import { afterFailure, notTried, type RetryPolicy } from './attempt.js';
import type { ChannelShape, RenderedContent, Target } from './channel-shape.js';
import { MessageJournal } from './message-journal.js';

/** What became of one target, as far as it has come. */
export type TargetResult =
  | { readonly kind: 'sent'; readonly providerId: string; readonly invalidTokens?: readonly string[] }
  | { readonly kind: 'retry'; readonly at: Date; readonly error: string; readonly providerId: string }
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
  }

  /** Changes the step's `attempt` and `tried`; what it did lies in the run's effects. */
  async send(task: StepTask, shape: ChannelShape, content: RenderedContent, target: Target): Promise<TargetResult> {
    const { state } = task;
    for (;;) {
      const [integration, ...others] = notTried(target.integrations, state);
      if (integration === undefined) return { kind: 'failed', error: 'No integration is left.' };
      const attempt = state.attempt + 1;
      const outcome = await this.attempt(task, shape, target, integration);
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

  private async attempt(
    { run, state, now }: StepTask,
    { channel }: ChannelShape,
    target: Target,
    integration: ActiveIntegration,
  ): Promise<SendResult | ProviderError> {
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
    try {
      const message = await target.compose(integration, messageId);
      const most = this.registry.get(channel, providerId)?.maxConcurrent ?? Number.POSITIVE_INFINITY;
      // Who waits for a turn has not begun: the provider's time limit is for the provider.
      return await this.turns.through(id, most, () =>
        this.registry.send(channel, providerId, message, {
          credentials: integration.credentials,
          idempotencyKey: messageId,
          timeoutMs: this.timeoutMs,
        }),
      );
    } catch (error) {
      if (error instanceof ProviderError) return error;
      throw error;
    }
  }
}
