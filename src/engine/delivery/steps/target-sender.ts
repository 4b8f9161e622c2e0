import { Injectable } from '@nestjs/common';
import { type DeadAddress, ProviderError, type SendResult, type Ticket } from '#libs/channels';
import { AppConfig } from '#libs/config';
import { LineTooSlow } from '#libs/work';
import { DETAIL } from '../../execution-details/index.js';
import { HeldBack, type HoldReason } from '../queues/held-back.js';
import type { ActiveIntegration } from '../../../channels/integrations/index.js';
import type { StepTask } from '../run/step-handler.js';
import { INTERRUPTED } from '../run/step-recorder.js';
import type { InterruptedCall } from '../run/begun-calls.js';
import { recordInterrupted, recordRefused, recordSent, type Sending } from './message-effects.js';
import type { ProviderChannel, RenderedContent, Target } from './provider-channel.js';
import { ProviderTransport } from './provider-transport.js';
import {
  afterFailure,
  isForgotten,
  notTried,
  repeatRuleOf,
  type RetryPolicy,
  type SendProgress,
} from './retry-rules.js';

const INTEGRATION_GONE =
  'The integration that may have sent the message is no longer there. The message is not sent through another one.';

const KEY_FORGOTTEN =
  'The provider may have accepted the message. It is not sent again, because the provider may no longer recognize a repetition.';

/** What the provider says of addresses that nothing reaches any more. */
export interface Dead {
  readonly invalidTokens?: readonly string[];
  readonly deadAddresses?: readonly DeadAddress[];
  readonly isGone?: boolean;
}

/** What a provider tells later, of each token. */
export interface AwaitedReceipts {
  readonly integrationId: string;
  readonly tickets: readonly Ticket[];
}

export type TargetResult =
  | ({ readonly kind: 'sent'; readonly providerId: string; readonly receipts?: AwaitedReceipts } & Dead)
  | { readonly kind: 'retry'; readonly at: Date; readonly error: string; readonly providerId: string }
  /** It was not tried: too many messages wait for the integration. */
  | { readonly kind: 'busy'; readonly at: Date; readonly reason?: HoldReason }
  | ({
      /** `uncertain`: it failed, but a provider may have accepted the message. */
      readonly kind: 'failed' | 'uncertain';
      readonly error: string;
      readonly providerId?: string;
    } & Dead);

type EndOfInterrupted =
  | { readonly kind: 'sent'; readonly providerId: string }
  | { readonly kind: 'uncertain'; readonly error: string; readonly providerId: string };

export interface SentTarget {
  readonly result: TargetResult;
  readonly progress: SendProgress;
}

@Injectable()
export class TargetSender {
  private readonly policy: RetryPolicy;

  constructor(
    private readonly transport: ProviderTransport,
    config: AppConfig,
  ) {
    this.policy = {
      maxAttempts: config.get('DELIVERY_MAX_ATTEMPTS'),
      baseMs: config.get('DELIVERY_RETRY_BASE_MS'),
      capMs: config.get('DELIVERY_RETRY_MAX_MS'),
    };
  }

  /**
   * @param before how far earlier attempts at this target have come
   * @param call begun by an earlier holder of the run: it counts as an attempt without an answer
   */
  async send(
    task: StepTask,
    channel: ProviderChannel,
    content: RenderedContent,
    target: Target,
    before: SendProgress,
    call?: InterruptedCall,
  ): Promise<SentTarget> {
    let progress = call === undefined ? before : progressAfter(call, before);
    let open = call;
    for (;;) {
      const [integration, ...others] = this.inOrder(task, target, progress, open);
      if (open !== undefined && (open.isSent || open.integrationId !== integration?.id)) {
        const errorText = recordInterrupted(task, channel, open, { ...content.record, ...target.record });
        return { result: resultOf(open, errorText), progress };
      }
      if (integration === undefined) {
        return { result: { kind: failureKindOf(progress), error: 'No integration is left.' }, progress };
      }
      if (mayBeElsewhere(progress, integration)) {
        return { result: { kind: 'uncertain', error: INTEGRATION_GONE }, progress };
      }
      if (open === undefined && isForgotten(progress, repeatRuleOf(integration), task.now)) {
        return { result: { kind: 'uncertain', error: KEY_FORGOTTEN, providerId: integration.providerId }, progress };
      }
      const sending: Sending = { task, channel, content, target, integration, progress };
      const answer = open === undefined ? await this.attempt(sending) : unanswered();
      open = undefined;
      if (answer instanceof LineTooSlow) {
        return { result: busyResult(sending, answer), progress };
      }
      if (!(answer instanceof ProviderError)) {
        recordSent(sending, answer);
        const { providerId } = integration;
        const { tickets } = answer;
        const receipts = tickets && { receipts: { integrationId: integration.id, tickets } };
        return { result: { kind: 'sent', providerId, ...receipts, ...deadOf(answer) }, progress };
      }
      const failed = await this.afterRefusal(sending, answer, others.length > 0);
      progress = failed.progress;
      if (failed.result !== undefined) return { result: failed.result, progress };
    }
  }

  /** What is left to try: an integration that may have the message comes first, and those that are down come last. */
  private inOrder(
    { recorder, state }: StepTask,
    target: Target,
    progress: SendProgress,
    open: InterruptedCall | undefined,
  ): readonly ActiveIntegration[] {
    const left = notTried(target.integrations, progress);
    const begun = open?.integrationId ?? progress.uncertainAt;
    if (begun !== undefined) return left.toSorted((a, b) => Number(b.id === begun) - Number(a.id === begun));
    const up = left.filter((one) => !this.transport.isDown(one));
    const [first] = left;
    const [instead] = up;
    if (first === undefined || instead === undefined || instead === first) return left;
    if (state.providerId !== instead.providerId) {
      const raw = { integration: first.identifier, instead: instead.identifier, ...first.outage };
      recorder.note(DETAIL.integrationDown, { providerId: first.providerId, raw });
    }
    return [...up, ...left.filter((one) => !up.includes(one))];
  }

  /** @returns no result if the next integration is to be tried */
  private async afterRefusal(
    sending: Sending,
    error: ProviderError,
    hasNext: boolean,
  ): Promise<{ readonly result?: TargetResult; readonly progress: SendProgress }> {
    const { task, integration } = sending;
    const progress = error.outcome === 'uncertain' ? markUncertain(sending) : sending.progress;
    const { attempt, uncertainSince, mayBeSent } = progress;
    const failure = { attempt: attempt + 1, hasNext, uncertainSince, repeat: repeatRuleOf(integration) };
    const next = afterFailure(error, failure, this.policy, task.now);
    await this.transport.noteFailure(sending, error, next.kind);
    const errorText = recordRefused({ ...sending, progress }, error, next.kind);
    const { id, providerId } = integration;
    if (next.kind === 'retry') {
      return { result: { kind: 'retry', at: next.at, error: errorText, providerId }, progress };
    }
    if (next.kind === 'next_integration') {
      const tried = [...(progress.tried ?? []), id];
      return { progress: { attempt: 0, tried, ...(mayBeSent && { mayBeSent }) } };
    }
    const kind = failureKindOf(progress);
    return { result: { kind, error: errorText, providerId, ...deadOf(error) }, progress };
  }

  /** @throws a fault of this process or of the store: the message was neither sent nor refused */
  private async attempt(sending: Sending): Promise<SendResult | ProviderError | LineTooSlow> {
    try {
      return await this.transport.send(sending, () => noteSelection(sending));
    } catch (error) {
      if (error instanceof LineTooSlow || error instanceof ProviderError) return error;
      throw error;
    }
  }
}

function deadOf({ invalidTokens, deadAddresses, isGone }: Dead): Dead {
  return {
    ...(invalidTokens && { invalidTokens }),
    ...(deadAddresses && { deadAddresses }),
    ...(isGone === true && { isGone }),
  };
}

/** The outcome of a call that cannot be judged any further. */
export function resultOf({ isSent, providerId }: InterruptedCall, error: string): EndOfInterrupted {
  return isSent ? { kind: 'sent', providerId } : { kind: 'uncertain', error, providerId };
}

/** The trail says once that a message waits, and why. */
function busyResult({ task, integration }: Sending, late: LineTooSlow): TargetResult {
  const at = new Date(task.now.getTime() + late.retryAfterMs);
  if (!(late instanceof HeldBack)) return { kind: 'busy', at };
  const { reason, message } = late;
  const { state, recorder } = task;
  if (state.reason !== reason && !recorder.details.some(({ detail }) => detail === DETAIL.messagePaced)) {
    const { identifier, providerId, messagesPerSecond } = integration;
    const raw = { reason, note: message, integration: identifier, messagesPerSecond, until: at };
    recorder.note(DETAIL.messagePaced, { providerId, raw });
  }
  return { kind: 'busy', at, reason };
}

function unanswered(): ProviderError {
  return new ProviderError(INTERRUPTED, { code: 'interrupted', retryable: true, outcome: 'uncertain' });
}

function progressAfter({ integrationId, tried, at, isSent }: InterruptedCall, before: SendProgress): SendProgress {
  if (isSent) return before;
  const uncertainSince = before.uncertainSince ?? at;
  return { ...before, ...(tried && { tried }), uncertainSince, uncertainAt: integrationId, mayBeSent: true };
}

function failureKindOf({ mayBeSent }: SendProgress): 'failed' | 'uncertain' {
  return mayBeSent === true ? 'uncertain' : 'failed';
}

/** Whether another integration may have accepted the message, and this one must not repeat it. */
function mayBeElsewhere({ uncertainAt }: SendProgress, { id, retryUncertain }: ActiveIntegration): boolean {
  return uncertainAt !== undefined && uncertainAt !== id && !retryUncertain;
}

function markUncertain({ task, integration, progress }: Sending): SendProgress {
  const uncertainSince = progress.uncertainSince ?? task.now;
  return { ...progress, uncertainSince, uncertainAt: integration.id, mayBeSent: true };
}

/** The trail names an integration when it is tried for the first time. */
function noteSelection({ task: { recorder }, integration, progress }: Sending): void {
  if (progress.attempt > 0) return;
  const { id, identifier, name, providerId } = integration;
  recorder.note(DETAIL.integrationSelected, { providerId, raw: { _id: id, identifier, name, providerId } });
}
