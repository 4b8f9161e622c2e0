import { Injectable } from '@nestjs/common';
import type { ProviderError, SendResult } from '#libs/channels';
import { DETAIL } from '../../execution-details/index.js';
import { withoutNullish } from '#libs/persistence';
import type { ActiveIntegration } from '../../integrations/index.js';
import { messageIdFor, type NewMessage } from '../../messages/index.js';
import { MessageFailed, MessageSent } from '../delivery.events.js';
import { tenantOf } from '../run/run.js';
import { newMessage } from './new-message.js';
import type { StepTask } from '../run/step-handler.js';
import type { AfterFailure } from './attempt.js';
import type { ChannelShape, RenderedContent, Target, Unreachable } from './provider-channel.js';

const NO_ID =
  'The provider accepted the message. Its answer holds no message id, so later reports of the provider cannot be matched with it.';
const MAY_BE_SENT = 'The message may have been sent.';
const NOT_SENT_AGAIN = `${MAY_BE_SENT} It is not sent again unless it is replayed with includeUncertain.`;

/** One attempt to send a message to one target. */
export interface Sending {
  readonly task: StepTask;
  readonly shape: ChannelShape;
  readonly content: RenderedContent;
  readonly target: Target;
  readonly integration: ActiveIntegration;
}

/** Records what happened to messages: the message itself with its true state, the details, and the domain events. */
@Injectable()
export class MessageJournal {
  sent({ task, shape, content, target, integration }: Sending, result: SendResult): void {
    const { providerId } = integration;
    const identifier = result.id;
    const message = this.keep(task, target.key, {
      ...content.record,
      ...target.record,
      ...shape.shown?.(task, integration),
      providerId,
      status: 'sent',
      ...(identifier !== undefined && { identifier }),
    });
    const more = { messageId: messageIdFor(message), providerId };
    const { run, state, now } = task;
    const suffix = shape.namesProvider ? `: ${providerId}` : '';
    run.effects.detail(state, DETAIL.messageCreated + suffix, now, { ...more, status: 'Pending' });
    const answer = result.raw ?? { id: result.id, date: result.date };
    const raw = result.lacksId === true ? { note: NO_ID, answer } : answer;
    run.effects.detail(state, DETAIL.messageSent + suffix, now, { ...more, status: 'Success', raw });
    run.effects.events.push(new MessageSent(...this.identity(task, message)));
  }

  /** @param next what follows from it @returns what is said of it */
  refused(
    { task, shape, content, target, integration }: Sending,
    error: ProviderError,
    next: AfterFailure['kind'],
  ): string {
    const { run, state, now } = task;
    const { providerId } = integration;
    const goesOn = next !== 'give_up';
    const mayBeSent = state.mayBeSent === true;
    const errorText = mayBeSent ? `${error.message} ${goesOn ? MAY_BE_SENT : NOT_SENT_AGAIN}` : error.message;
    const message = this.keep(task, target.key, {
      ...content.record,
      ...target.record,
      ...shape.shown?.(task, integration),
      providerId,
      status: 'error',
      errorId: shape.errorId,
      errorText,
    });
    run.effects.detail(state, mayBeSent ? DETAIL.mayBeAccepted : DETAIL.providerError, now, {
      messageId: messageIdFor(message),
      providerId,
      ...(goesOn && { status: 'Warning', isRetry: true }),
      raw: {
        error: errorText,
        code: error.code,
        outcome: error.outcome,
        attempt: state.attempt + 1,
        answer: error.raw,
      },
    });
    if (!goesOn) run.effects.events.push(new MessageFailed(...this.identity(task, message), errorText));
    return errorText;
  }

  /** An address that nothing can be sent to. */
  unreachable(task: StepTask, content: RenderedContent, unreachable: Unreachable): void {
    const { run, state, now } = task;
    const { key, detail, providerId, error, raw, message } = unreachable;
    const kept =
      message && this.keep(task, key, { ...content.record, ...message, status: 'warning', errorText: error });
    run.effects.detail(state, detail, now, {
      raw: raw ?? { error },
      ...(providerId !== undefined && { providerId }),
      ...(kept && { messageId: messageIdFor(kept) }),
    });
    if (kept) run.effects.events.push(new MessageFailed(...this.identity(task, kept), error));
  }

  private keep(task: StepTask, target: string, fields: Partial<NewMessage> & Pick<NewMessage, 'status'>): NewMessage {
    const { run, state, now } = task;
    const message = newMessage(run, state, { ...fields, target, createdAt: now });
    run.effects.messages.push(message);
    // An earlier attempt has written the message; the insert leaves it, so what is new has to be said again.
    if (run.wasClaimed || state.attempt > 0 || (state.tried?.length ?? 0) > 0) {
      const { status, providerId, identifier, errorId, errorText, content, subject, title, email, phone } = message;
      const isSent = status === 'sent';
      run.effects.outcomes.push({
        environmentId: message.environmentId,
        messageId: messageIdFor(message),
        status,
        ...withoutNullish({ content, subject, title, email, phone }),
        ...(providerId !== undefined && { providerId }),
        ...(identifier !== undefined && { identifier }),
        ...((isSent || errorId !== undefined) && { errorId: errorId ?? null }),
        ...((isSent || errorText !== undefined) && { errorText: errorText ?? null }),
      });
    }
    return message;
  }

  private identity({ run }: StepTask, message: NewMessage): [...ConstructorParameters<typeof MessageSent>] {
    return [
      tenantOf(run.event),
      messageIdFor(message).toHexString(),
      message.channel,
      run.record.subscriberId,
      {
        subscriberRecordId: run.facts.subscriber._id,
        notificationId: run.record._id.toHexString(),
        workflowId: run.workflow.id,
        transactionId: run.event.transactionId,
      },
    ];
  }
}
