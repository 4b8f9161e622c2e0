import { HttpException, Injectable } from '@nestjs/common';
import { AppException, createValidationPipe, NAME_LENGTH } from '#libs/http-kit';
import { type Caller, type TenantContext, timeOrderedUuid } from '#libs/common';
import { EventCanceler, EventIntake, type NewEvent, type RecipientSources } from '../delivery/index.js';
import { EventEnds } from './event-ends.js';
import { draftEvent } from './event-draft.js';
import { type BroadcastEventDto, type BulkTriggerDto, TriggerEventDto } from './event.dto.js';
import { showFailedTrigger, showTrigger, type TriggerResponse } from './event.response.js';
import { type ParsedRecipients, RecipientReader } from './recipients.js';
import { TriggerGate } from './trigger-gate.js';
import { TRIGGER_HINTS } from './trigger-hints.js';

const ALL_SUBSCRIBERS: RecipientSources = { list: [], topics: [], everybody: true };

type AnyTrigger = TriggerEventDto | BroadcastEventDto;

/** What an event says besides that does not come from a client. */
export type EventMarks = Pick<NewEvent, 'localTime' | 'deletionsBefore' | 'depth' | 'forRecord' | 'question'>;

@Injectable()
export class EventsService {
  private readonly validation = createValidationPipe();

  constructor(
    private readonly gate: TriggerGate,
    private readonly intake: EventIntake,
    private readonly canceler: EventCanceler,
    private readonly recipients: RecipientReader,
    private readonly ends: EventEnds,
  ) {}

  /**
   * `processed` means that the event is stored.
   * @param trace `traceparent` for the spans of its notifications
   */
  trigger(tenant: Caller, dto: TriggerEventDto, trace?: string): Promise<TriggerResponse> {
    return this.accept(tenant, dto, { to: dto.to, trace });
  }

  /** As `trigger`, for an occurrence of a schedule, or for a step. */
  triggerAt(tenant: Caller, dto: TriggerEventDto, marks: EventMarks): Promise<TriggerResponse> {
    return this.accept(tenant, dto, { to: dto.to, trace: undefined, marks });
  }

  async isAccepted(tenant: TenantContext, transactionId: string): Promise<boolean> {
    return (await this.intake.find(tenant, transactionId)) !== null;
  }

  broadcast(tenant: Caller, dto: BroadcastEventDto, trace?: string): Promise<TriggerResponse> {
    return this.accept(tenant, dto, { trace });
  }

  triggerMany(tenant: Caller, { events }: BulkTriggerDto, trace?: string): Promise<TriggerResponse[]> {
    return Promise.all(events.map((event) => this.triggerOneOfMany(tenant, event, trace)));
  }

  /** @returns false when there is nothing left to cancel */
  cancel(tenant: TenantContext, transactionId: string): Promise<boolean> {
    return this.canceler.cancel(tenant, transactionId);
  }

  private async triggerOneOfMany(tenant: Caller, event: unknown, trace?: string): Promise<TriggerResponse> {
    try {
      const dto = (await this.validation.transform(event, {
        type: 'body',
        metatype: TriggerEventDto,
      })) as TriggerEventDto;
      return await this.trigger(tenant, dto, trace);
    } catch (fault) {
      return this.failed(tenant, event, faultsOf(fault), hintOf(fault));
    }
  }

  private async failed(tenant: TenantContext, event: unknown, error: string[], hint: string): Promise<TriggerResponse> {
    const transactionId = transactionIdOf(event);
    const { name } = (event ?? {}) as { name?: unknown };
    // An id that is too long is among the faults.
    if (transactionId.length <= NAME_LENGTH) {
      await this.gate.refuse(tenant, transactionId, {
        status: 'error',
        reason: hint,
        error,
        ...(typeof name === 'string' && { name: name.slice(0, NAME_LENGTH) }),
      });
    }
    return showFailedTrigger(error, transactionId, hint);
  }

  /** @param to absent: all subscribers */
  private async accept(
    tenant: Caller,
    dto: AnyTrigger,
    {
      to,
      trace,
      marks,
    }: { readonly to?: ParsedRecipients; readonly trace: string | undefined; readonly marks?: EventMarks },
  ): Promise<TriggerResponse> {
    const transactionId = transactionIdOf(dto);
    const isOwn = transactionId === dto.transactionId;
    if (isOwn && (await this.intake.find(tenant, transactionId)) !== null)
      return showTrigger('processed', transactionId);
    const open = await this.gate.open(tenant, dto, transactionId);
    if ('status' in open) return showTrigger(open.status, transactionId, open.reason);
    const recipients = to === undefined ? ALL_SUBSCRIBERS : await this.recipients.read(tenant, to);
    const { event, files } = await draftEvent(tenant, dto, { open, recipients, transactionId });
    if (trace !== undefined) event.traceparent = trace;
    Object.assign(event, marks, await this.ends.markFor(tenant));
    await this.intake.accept(tenant, { event, files, workflow: open.workflow });
    return showTrigger('processed', transactionId);
  }
}

/** A faulty event gets one, too: every response names its event. */
export function transactionIdOf(event: unknown): string {
  const { transactionId } = (event ?? {}) as { transactionId?: unknown };
  // Clients may send an empty text for none. As an id, it would deduplicate all their events.
  return typeof transactionId === 'string' && transactionId.trim() !== '' ? transactionId : timeOrderedUuid();
}

function faultsOf(error: unknown): string[] {
  if (error instanceof AppException) return [error.messages].flat();
  if (error instanceof HttpException) return [error.message];
  throw error;
}

function hintOf(error: unknown): string {
  return (error instanceof AppException ? error.hint : undefined) ?? TRIGGER_HINTS.error();
}
