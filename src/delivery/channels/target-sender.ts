import { Injectable } from '@nestjs/common';
import { ChannelRegistry, ProviderError, type SendResult } from '#libs/channels';
import { AppConfig } from '#libs/config';
import { Leases, LineTooSlow, Turnstile } from '#libs/work';
import { DETAIL } from '../../execution-details/index.js';
import type { ActiveIntegration } from '../../integrations/index.js';
import type { StepState } from '../../notifications/index.js';
import { messageIdFor } from '../../messages/index.js';
import type { StepTask } from '../steps/step-handler.js';
import { slotsOfOneEnvironment } from '../queues/active-runs.js';
import { afterFailure, notTried, repeatRuleOf, type RetryPolicy } from './attempt.js';
import type { ChannelShape, RenderedContent, Target } from './channel-shape.js';
import { MessageJournal, type Sending } from './message-journal.js';

const SHARE_OF_ONE_INTEGRATION = 0.8;

const GONE =
  'The integration that may have sent the message is no longer there. The message is not sent through another one.';

/** Whether another integration may have taken the message, and this one must not repeat it. */
function mayBeElsewhere({ uncertainAt }: StepState, { id, retryUncertain }: ActiveIntegration): boolean {
  return uncertainAt !== undefined && uncertainAt !== id && !retryUncertain;
}

/** What became of one target, as far as it has come. */
export type TargetResult =
  | { readonly kind: 'sent'; readonly providerId: string; readonly invalidTokens?: readonly string[] }
  | {
      readonly kind: 'retry';
      readonly at: Date;
      readonly error: string;
      readonly providerId: string;
      readonly uncertainSince?: Date;
    }
  /** It was not tried: the integration has much to do and is slow. */
  | { readonly kind: 'busy'; readonly at: Date }
  | {
      /** `uncertain`: it failed, but a provider may have taken the message. */
      readonly kind: 'failed' | 'uncertain';
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
    private readonly leases: Leases,
    config: AppConfig,
  ) {
    this.policy = {
      maxAttempts: config.get('DELIVERY_MAX_ATTEMPTS'),
      baseMs: config.get('DELIVERY_RETRY_BASE_MS'),
      capMs: config.get('DELIVERY_RETRY_MAX_MS'),
    };
    this.timeoutMs = config.get('DELIVERY_TIMEOUT_MS');
    this.hold = Math.max(1, Math.floor(SHARE_OF_ONE_INTEGRATION * slotsOfOneEnvironment(config)));
  }

  /** Changes the step's `attempt`, `tried` and what it knows of uncertain attempts; what it did lies in the run's effects. */
  async send(task: StepTask, shape: ChannelShape, content: RenderedContent, target: Target): Promise<TargetResult> {
    const { state } = task;
    for (;;) {
      const [integration, ...others] = notTried(target.integrations, state);
      if (integration === undefined) return { kind: 'failed', error: 'No integration is left.' };
      if (mayBeElsewhere(state, integration)) return { kind: 'uncertain', error: GONE };
      const attempt = state.attempt + 1;
      const sending = { task, shape, content, target, integration };
      const outcome = await this.inTurn(task, shape, target, integration);
      if (outcome instanceof LineTooSlow) {
        return { kind: 'busy', at: new Date(task.now.getTime() + outcome.retryAfterMs) };
      }
      if (!(outcome instanceof ProviderError)) {
        this.journal.sent(sending, outcome);
        const { invalidTokens } = outcome;
        return { kind: 'sent', providerId: integration.providerId, ...(invalidTokens && { invalidTokens }) };
      }
      const failed = this.settle(sending, outcome, { attempt, hasNext: others.length > 0 });
      if (failed !== undefined) return failed;
    }
  }

  /** What follows from a failure; undefined: the next integration has its turn. */
  private settle(
    sending: Sending,
    error: ProviderError,
    place: { readonly attempt: number; readonly hasNext: boolean },
  ): TargetResult | undefined {
    const { task, integration } = sending;
    const { state } = task;
    if (error.outcome === 'uncertain') {
      state.uncertainSince ??= task.now;
      state.uncertainAt = integration.id;
      state.mayBeSent = true;
    }
    const { uncertainSince } = state;
    const after = afterFailure(
      error,
      { ...place, uncertainSince, repeat: repeatRuleOf(integration) },
      this.policy,
      task.now,
    );
    const text = this.journal.refused(sending, error, after.kind);
    const { providerId } = integration;
    if (after.kind === 'retry') {
      return { kind: 'retry', at: after.at, error: text, providerId, ...(uncertainSince && { uncertainSince }) };
    }
    if (after.kind === 'next_integration') {
      state.tried = [...(state.tried ?? []), integration.id];
      state.attempt = 0;
      delete state.uncertainSince;
      delete state.uncertainAt;
      return undefined;
    }
    const { invalidTokens } = error;
    const kind = state.mayBeSent === true ? 'uncertain' : 'failed';
    return { kind, error: text, providerId, ...(invalidTokens && { invalidTokens }) };
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
    const { id, identifier, name, providerId, credentialsError } = integration;
    if (state.attempt === 0) {
      const raw = { _id: id, identifier, name, providerId };
      run.effects.detail(state, DETAIL.integrationSelected, now, { providerId, raw });
    }
    if (credentialsError !== undefined) {
      throw new ProviderError(credentialsError, { code: 'credentials_unreadable', retryable: false });
    }
    const messageId = messageIdFor({
      notificationId: run.record._id,
      jobId: state._id,
      target: target.key,
    }).toHexString();
    const composed = await target.compose(integration, messageId);
    // A process that stood still must not send what another one has sent meanwhile.
    await this.leases.assertHeld(run);
    return this.registry.send(channel, providerId, composed, {
      credentials: integration.credentials,
      idempotencyKey: messageId,
      timeoutMs: this.timeoutMs,
    });
  }
}
