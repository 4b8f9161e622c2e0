import { BSON } from 'bson';
import { DateTime } from 'luxon';
import { Types } from 'mongoose';
import { type Caller, readPath, type TenantContext } from '#libs/common';
import { ValidationFailed } from '#libs/http-kit';
import { sharedSize } from '#libs/persistence';
import { missingVariables, type TemplateVariable, withVariableDefaults } from '#libs/templates';
import { Turns } from '#libs/worker-pool';
import type { NewAttachment, NewEvent, RecipientSources } from '../delivery/index.js';
import type { ResolvedStep, ResolvedWorkflow } from '../../management/workflows/index.js';
import { takeAttachments, takeOverrideAttachments } from './attachments.js';
import type { BroadcastEventDto, TriggerEventDto } from './event.dto.js';
import { EventTooLarge, PayloadIncomplete } from './events.errors.js';
import { readSubscriber } from './recipients.js';
import type { OpenTrigger } from './trigger-gate.js';

/** The store takes records of 16 MiB; leaves room for the expansion. */
const MAX_EVENT_BYTES = 15_000_000;

export interface EventDraft {
  readonly event: NewEvent;
  /** Stored apart from the event. */
  readonly files: readonly NewAttachment[];
}

export async function draftEvent(
  tenant: Caller,
  dto: TriggerEventDto | BroadcastEventDto,
  {
    open: { workflow, tenant: identifier },
    recipients,
    transactionId,
  }: { readonly open: OpenTrigger; readonly recipients: RecipientSources; readonly transactionId: string },
): Promise<EventDraft> {
  const missing = missingFromPayload(workflow, dto.payload ?? {});
  if (missing.length > 0) throw new PayloadIncomplete(missing);
  const { payload, ...ofPayload } = takeAttachments(dto.payload ?? {});
  const { overrides, ...ofOverrides } = takeOverrideAttachments(dto.overrides ?? {});
  const faults = [...ofPayload.faults, ...ofOverrides.faults];
  if (faults.length > 0) throw new ValidationFailed(faults);
  const actor = dto.actor ? readSubscriber(dto.actor) : undefined;
  const event = await sized({
    ...eventOf(tenant, workflow, { transactionId, recipients, payload }),
    overrides,
    ...(identifier !== undefined && { tenant: identifier }),
    ...(actor && { actor }),
    ...(!tenant.scopes.includes('write') && { forThisEventOnly: true }),
  });
  return { event, files: [...ofPayload.files, ...ofOverrides.files] };
}

/** Without overrides. Default values of variables complete the payload. */
export function eventOf(
  tenant: TenantContext,
  workflow: ResolvedWorkflow,
  { payload, ...given }: Pick<NewEvent, 'transactionId' | 'recipients'> & { readonly payload: object },
): NewEvent {
  return {
    _id: new Types.ObjectId(),
    ...ownerOf(tenant),
    _templateId: new Types.ObjectId(workflow.id),
    snapshotId: `${workflow.id}:${workflow.version}`,
    name: workflow.identifier,
    ...given,
    payload: withDefaults(workflow, { ...payload }),
    overrides: {},
  };
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

type Payload = Readonly<Record<string, unknown>>;

/** Missing or of a wrong type: `name (Value)`, `sendAt (ISO Date)`. */
export function missingFromPayload(workflow: Pick<ResolvedWorkflow, 'steps'>, payload: Payload): string[] {
  const steps = workflow.steps.filter(({ active }) => active);
  const dates = steps.map(delayPathOf).filter((path) => path !== undefined);
  return [
    ...new Set([
      ...missingVariables(variablesOf(workflow), payload),
      ...dates.filter((path) => !isIsoDate(payload, path)).map((path) => `${path} (ISO Date)`),
    ]),
  ];
}

function withDefaults(workflow: Pick<ResolvedWorkflow, 'steps'>, payload: Payload): Record<string, unknown> {
  return { ...withVariableDefaults(variablesOf(workflow), payload) };
}

function variablesOf({ steps }: Pick<ResolvedWorkflow, 'steps'>): TemplateVariable[] {
  return steps
    .filter(({ active }) => active)
    .flatMap((step) => [step, ...step.variants])
    .flatMap(({ template }) => (template['variables'] as TemplateVariable[] | undefined) ?? []);
}

function delayPathOf({ template, metadata }: ResolvedStep): string | undefined {
  return template['type'] === 'delay' && metadata.type === 'scheduled' ? metadata.delayPath : undefined;
}

function isIsoDate(payload: Payload, path: string): boolean {
  const value = readPath(payload, path);
  return typeof value === 'string' && DateTime.fromISO(value).isValid;
}
