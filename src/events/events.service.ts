import { HttpException, Injectable } from '@nestjs/common';
import { BSON } from 'bson';
import { Types } from 'mongoose';
import { AppException, createValidationPipe, NAME_LENGTH, ValidationFailed } from '#libs/http-kit';
import { sharedSize } from '#libs/persistence';
import { type TenantContext, timeOrderedUuid } from '#libs/common';
import { Turns } from '#libs/worker-pool';
import {
  AttachmentStore,
  EventCanceler,
  EventIntake,
  type NewEvent,
  type RecipientSources,
  WorkflowSnapshots,
} from '../delivery/index.js';
import { takeAttachments, takeOverrideAttachments } from './attachments.js';
import type { BulkTriggerDto } from './event.dto.js';
import { type BroadcastEventDto, TriggerEventDto } from './event.dto.js';
import { showFailedTrigger, showTrigger, type TriggerResponse } from './event.response.js';
import { EventTooLarge, PayloadIncomplete } from './events.errors.js';
import { RecipientReader } from './recipient-reader.js';
import { type ParsedRecipients, readSubscriber } from './recipients.js';
import { missingFromPayload, withDefaults } from './trigger-checks.js';
import { type OpenTrigger, TriggerGate } from './trigger-gate.js';

/** The store takes records of 16 MiB; the rest is for what the expansion adds. */
const MAX_EVENT_BYTES = 15_000_000;

const ALL_SUBSCRIBERS: RecipientSources = { list: [], topics: [], everybody: true };

type AnyTrigger = TriggerEventDto | BroadcastEventDto;

@Injectable()
export class EventsService {
  private readonly validation = createValidationPipe();

  constructor(
    private readonly gate: TriggerGate,
    private readonly intake: EventIntake,
    private readonly snapshots: WorkflowSnapshots,
    private readonly canceler: EventCanceler,
    private readonly attachments: AttachmentStore,
    private readonly recipients: RecipientReader,
  ) {}

  /**
   * Accepts one event. The response `processed` means that the event is stored.
   * @param trace `traceparent` that the spans of its notifications belong to
   * @throws {TriggerNotFound} @throws {PayloadIncomplete}
   */
  trigger(tenant: TenantContext, dto: TriggerEventDto, trace?: string): Promise<TriggerResponse> {
    return this.accept(tenant, dto, { to: dto.to, trace });
  }

  broadcast(tenant: TenantContext, dto: BroadcastEventDto, trace?: string): Promise<TriggerResponse> {
    return this.accept(tenant, dto, { trace });
  }

  triggerMany(tenant: TenantContext, { events }: BulkTriggerDto, trace?: string): Promise<TriggerResponse[]> {
    return Promise.all(events.map((event) => this.triggerOneOfMany(tenant, event, trace)));
  }

  /** @returns false when there is nothing left to cancel */
  cancel(tenant: TenantContext, transactionId: string): Promise<boolean> {
    return this.canceler.cancel(tenant, transactionId);
  }

  private async triggerOneOfMany(tenant: TenantContext, event: unknown, trace?: string): Promise<TriggerResponse> {
    try {
      const dto = (await this.validation.transform(event, {
        type: 'body',
        metatype: TriggerEventDto,
      })) as TriggerEventDto;
      return await this.trigger(tenant, dto, trace);
    } catch (fault) {
      return this.failed(tenant, event, faultsOf(fault));
    }
  }

  private async failed(tenant: TenantContext, event: unknown, error: string[]): Promise<TriggerResponse> {
    const transactionId = transactionIdOf(event);
    const { name } = (event ?? {}) as { name?: unknown };
    // An id that is too long is listed among the faults.
    if (transactionId.length <= NAME_LENGTH) {
      await this.gate.refuse(tenant, transactionId, {
        status: 'error',
        reason: 'The event is not valid. Correct it and send it again.',
        error,
        ...(typeof name === 'string' && { name: name.slice(0, NAME_LENGTH) }),
      });
    }
    return showFailedTrigger(error, transactionId);
  }

  /** @param to absent: all subscribers */
  private async accept(
    tenant: TenantContext,
    dto: AnyTrigger,
    { to, trace }: { readonly to?: ParsedRecipients; readonly trace: string | undefined },
  ): Promise<TriggerResponse> {
    const transactionId = transactionIdOf(dto);
    const isOwn = transactionId === dto.transactionId;
    if (isOwn && (await this.intake.find(tenant, transactionId)) !== null)
      return showTrigger('processed', transactionId);
    const open = await this.gate.open(tenant, dto, transactionId);
    if (typeof open === 'string') return showTrigger(open, transactionId);
    const recipients = to === undefined ? ALL_SUBSCRIBERS : await this.recipients.read(tenant, to);
    const event = await this.prepare(tenant, dto, open, recipients, transactionId);
    await this.snapshots.keep(open.workflow);
    // A concurrent trigger with the same transaction id may have been first; both get the same answer.
    await this.intake.accept(trace === undefined ? event : { ...event, traceparent: trace });
    return showTrigger('processed', transactionId);
  }

  private async prepare(
    tenant: TenantContext,
    dto: AnyTrigger,
    { workflow, tenant: identifier }: OpenTrigger,
    recipients: RecipientSources,
    transactionId: string,
  ): Promise<NewEvent> {
    const missing = missingFromPayload(workflow, dto.payload ?? {});
    if (missing.length > 0) throw new PayloadIncomplete(missing);
    const { payload, ...ofPayload } = takeAttachments(dto.payload ?? {});
    const { overrides, ...ofOverrides } = takeOverrideAttachments(dto.overrides ?? {});
    const faults = [...ofPayload.faults, ...ofOverrides.faults];
    if (faults.length > 0) throw new ValidationFailed(faults);
    const files = [...ofPayload.files, ...ofOverrides.files];
    const actor = dto.actor ? readSubscriber(dto.actor) : undefined;
    const event = await sized({
      _id: new Types.ObjectId(),
      ...ownerOf(tenant),
      transactionId,
      _templateId: new Types.ObjectId(workflow.id),
      snapshotId: `${workflow.id}:${workflow.version}`,
      name: workflow.identifier,
      recipients,
      payload: withDefaults(workflow, payload),
      overrides,
      ...(identifier !== undefined && { tenant: identifier }),
      ...(actor && { actor }),
    });
    if (files.length === 0) return event;
    return { ...event, attachments: await this.attachments.save(tenant, files, new Date()) };
  }
}

/** The transaction id that was sent, even with a faulty event, or a new one: every response names its event. */
function transactionIdOf(event: unknown): string {
  const { transactionId } = (event ?? {}) as { transactionId?: unknown };
  // Clients may send an empty text for no id. As an id, it would deduplicate all their events.
  return typeof transactionId === 'string' && transactionId.trim() !== '' ? transactionId : timeOrderedUuid();
}

function ownerOf(
  tenant: TenantContext,
): Pick<NewEvent, '_organizationId' | '_environmentId' | '_userId' | '_apiKeyId'> {
  return {
    _organizationId: new Types.ObjectId(tenant.organizationId),
    _environmentId: new Types.ObjectId(tenant.environmentId),
    _userId: new Types.ObjectId(tenant.userId),
    _apiKeyId: new Types.ObjectId(tenant.apiKeyId),
  };
}

/** Number of recipients whose size is computed without a pause. */
const RECIPIENTS_PER_TURN = 5_000;

/** An event can have 100,000 recipients: pauses let other requests run. */
async function sized(event: NewEvent): Promise<NewEvent> {
  const { payload, overrides, recipients, ...rest } = event;
  const { list, ...others } = recipients;
  const turns = new Turns();
  let bytes = BSON.calculateObjectSize({ ...rest, recipients: others }) + sharedSize(payload) + sharedSize(overrides);
  for (let from = 0; from < list.length; from += RECIPIENTS_PER_TURN) {
    bytes += BSON.calculateObjectSize(list.slice(from, from + RECIPIENTS_PER_TURN));
    await turns.offer();
  }
  if (bytes > MAX_EVENT_BYTES) throw new EventTooLarge(bytes, MAX_EVENT_BYTES);
  return event;
}

function faultsOf(error: unknown): string[] {
  if (error instanceof AppException) return [error.messages].flat();
  if (error instanceof HttpException) return [error.message];
  throw error;
}
