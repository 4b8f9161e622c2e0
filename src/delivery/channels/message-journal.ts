import { Injectable } from '@nestjs/common';
import type { ProviderError, SendResult } from '#libs/channels';
import { DETAIL } from '../../execution-details/index.js';
import { withoutNullish } from '#libs/persistence';
import type { ActiveIntegration } from '../../integrations/index.js';
import { messageIdFor, type NewMessage } from '../../messages/index.js';
import { MessageFailed, MessageSent } from '../delivery.events.js';
import { tenantOf } from '../run/run.js';
import { newMessage } from '../steps/new-message.js';
import type { StepTask } from '../steps/step-handler.js';
import type { ChannelShape, RenderedContent, Target, Unreachable } from './channel-shape.js';

/**
 * Says in records what happened to messages: the message itself with its true state (decisions 6.6), the details, and
 * the domain events.
 */
@Injectable()
export class MessageJournal {
  sent(
    task: StepTask,
    shape: ChannelShape,
    content: RenderedContent,
    target: Target,
    integration: ActiveIntegration,
    result: SendResult,
  ): void {
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
    const raw = result.raw ?? { id: result.id, date: result.date };
    run.effects.detail(state, DETAIL.messageSent + suffix, now, { ...more, status: 'Success', raw });
    run.effects.events.push(new MessageSent(...this.identity(task, message)));
  }

  /** @param goesOn it will be tried again, or at another integration */
  refused(
    task: StepTask,
    shape: ChannelShape,
    content: RenderedContent,
    target: Target,
    integration: ActiveIntegration,
    error: ProviderError,
    goesOn: boolean,
  ): void {
    const { providerId } = integration;
    const message = this.keep(task, target.key, {
      ...content.record,
      ...target.record,
      ...shape.shown?.(task, integration),
      providerId,
      status: 'error',
      errorId: shape.errorId,
      errorText: error.message,
    });
    const { run, state, now } = task;
    run.effects.detail(state, DETAIL.providerError, now, {
      messageId: messageIdFor(message),
      providerId,
      ...(goesOn && { status: 'Warning', isRetry: true }),
      raw: { error: error.message, code: error.code, attempt: state.attempt + 1, answer: error.raw },
    });
    if (!goesOn) run.effects.events.push(new MessageFailed(...this.identity(task, message), error.message));
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
