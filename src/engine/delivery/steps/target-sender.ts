import { Injectable } from '@nestjs/common';
import { ProviderError, type SendResult } from '#libs/channels';
import { AppConfig } from '#libs/config';
import { LineTooSlow } from '#libs/work';
import { DETAIL } from '../../execution-details/index.js';
import type { ActiveIntegration } from '../../../management/integrations/index.js';
import type { StepTask } from '../run/step-handler.js';
import { combine, detailOf, INTERRUPTED, type StepEffects } from '../run/step-report.js';
import type { InterruptedCall } from './interrupted-calls.js';
import { interruptedEffects, refusedEffects, type Sending, sentEffects } from './message-effects.js';
import type { ProviderChannel, RenderedContent, Target } from './provider-channel.js';
import { ProviderTransport } from './provider-transport.js';
import { afterFailure, notTried, repeatRuleOf, type RetryPolicy, type SendProgress } from './retry-rules.js';

const INTEGRATION_GONE =
  'The integration that may have sent the message is no longer there. The message is not sent through another one.';

export type TargetResult =
  | { readonly kind: 'sent'; readonly providerId: string; readonly invalidTokens?: readonly string[] }
  | { readonly kind: 'retry'; readonly at: Date; readonly error: string; readonly providerId: string }
  /** It was not tried: too many messages wait for the integration. */
  | { readonly kind: 'busy'; readonly at: Date }
  | {
      /** `uncertain`: it failed, but a provider may have accepted the message. */
      readonly kind: 'failed' | 'uncertain';
      readonly error: string;
      readonly providerId?: string;
      readonly invalidTokens?: readonly string[];
    }
  /** Neither sent nor refused: a fault of this process or of the store. */
  | { readonly kind: 'interrupted'; readonly reason: unknown };

type EndOfInterrupted =
  | { readonly kind: 'sent'; readonly providerId: string }
  | { readonly kind: 'uncertain'; readonly error: string; readonly providerId: string };

export interface SentTarget {
  readonly result: TargetResult;
  readonly progress: SendProgress;
  readonly effects: StepEffects;
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
    let effects = combine();
    let open = call;
    for (;;) {
      const end = (result: TargetResult): SentTarget => ({ result, progress, effects });
      const [integration, ...others] = notTried(target.integrations, progress);
      if (open !== undefined && (open.isSent || open.integrationId !== integration?.id)) {
        const known = interruptedEffects(task, channel, open, { ...content.record, ...target.record });
        effects = known.effects;
        return end(resultOf(open, known.errorText));
      }
      if (integration === undefined) return end({ kind: failureKindOf(progress), error: 'No integration is left.' });
      if (mayBeElsewhere(progress, integration)) return end({ kind: 'uncertain', error: INTEGRATION_GONE });
      const sending: Sending = { task, channel, content, target, integration, progress };
      const [answer, selected] = open === undefined ? await this.attempt(sending) : [unanswered(), []];
      open = undefined;
      effects = combine(effects, { details: selected });
      if (answer instanceof LineTooSlow) {
        return end({ kind: 'busy', at: new Date(task.now.getTime() + answer.retryAfterMs) });
      }
      if (answer instanceof Interruption) return end({ kind: 'interrupted', reason: answer.reason });
      if (!(answer instanceof ProviderError)) {
        effects = combine(effects, sentEffects(sending, answer));
        const { invalidTokens } = answer;
        return end({ kind: 'sent', providerId: integration.providerId, ...(invalidTokens && { invalidTokens }) });
      }
      const failed = this.settle(sending, answer, others.length > 0);
      progress = failed.progress;
      effects = combine(effects, failed.effects);
      if (failed.result !== undefined) return end(failed.result);
    }
  }

  private settle(
    sending: Sending,
    error: ProviderError,
    hasNext: boolean,
  ): { readonly result: TargetResult | undefined; readonly progress: SendProgress; readonly effects: StepEffects } {
    const { task, integration } = sending;
    const progress = error.outcome === 'uncertain' ? markUncertain(sending) : sending.progress;
    const { attempt, uncertainSince, mayBeSent } = progress;
    const failure = { attempt: attempt + 1, hasNext, uncertainSince, repeat: repeatRuleOf(integration) };
    const next = afterFailure(error, failure, this.policy, task.now);
    this.transport.noteFailure(sending, error, next.kind);
    const { effects, errorText } = refusedEffects({ ...sending, progress }, error, next.kind);
    const { id, providerId } = integration;
    if (next.kind === 'retry') {
      return { result: { kind: 'retry', at: next.at, error: errorText, providerId }, progress, effects };
    }
    if (next.kind === 'next_integration') {
      const tried = [...(progress.tried ?? []), id];
      return { result: undefined, progress: { attempt: 0, tried, ...(mayBeSent && { mayBeSent }) }, effects };
    }
    const { invalidTokens } = error;
    return {
      result: { kind: failureKindOf(progress), error: errorText, providerId, ...(invalidTokens && { invalidTokens }) },
      progress,
      effects,
    };
  }

  private async attempt(
    sending: Sending,
  ): Promise<[SendResult | ProviderError | LineTooSlow | Interruption, StepEffects['details']]> {
    let selected: StepEffects['details'] = [];
    const onTurn = (): void => {
      selected = selectionOf(sending);
    };
    try {
      return [await this.transport.send(sending, onTurn), selected];
    } catch (error) {
      const isAnswer = error instanceof LineTooSlow || error instanceof ProviderError;
      return [isAnswer ? error : new Interruption(error), selected];
    }
  }
}

/** The outcome of a call that cannot be judged any further. */
export function resultOf({ isSent, providerId }: InterruptedCall, error: string): EndOfInterrupted {
  return isSent ? { kind: 'sent', providerId } : { kind: 'uncertain', error, providerId };
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

class Interruption {
  constructor(readonly reason: unknown) {}
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
function selectionOf({ task: { state, now }, integration, progress }: Sending): StepEffects['details'] {
  if (progress.attempt > 0) return [];
  const { id, identifier, name, providerId } = integration;
  const raw = { _id: id, identifier, name, providerId };
  return [detailOf(state, DETAIL.integrationSelected, now, { providerId, raw })];
}
