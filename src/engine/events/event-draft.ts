import { BSON } from 'bson';
import { Types } from 'mongoose';
import { type Caller, readPath, type TenantContext } from '#libs/common';
import { ValidationFailed } from '#libs/http-kit';
import { sharedSize } from '#libs/persistence';
import { STEP_TYPES } from '#libs/plugins';
import { isMoment } from '#libs/schedule';
import { missingVariables, type TemplateVariable, withVariableDefaults } from '#libs/templates';
import { Turns } from '#libs/worker-pool';
import { type NewAttachment, type NewEvent, type RecipientSources, stepKeys } from '../delivery/index.js';
import type { ResolvedStep, ResolvedWorkflow } from '../../content/workflows/index.js';
import { payloadAddressFaults } from './address.schema.js';
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
  const faults = [
    ...payloadAddressFaults(workflow, payload),
    ...ofPayload.faults,
    ...ofOverrides.faults,
    ...strayStepFaults(workflow, overrides['steps'], 'overrides.steps'),
  ];
  if (faults.length > 0) throw new ValidationFailed(faults);
  const event = eventOf(tenant, workflow, { transactionId, recipients, payload });
  event.overrides = overrides;
  if (identifier !== undefined) event.tenant = identifier;
  if ('skipWaits' in dto && dto.skipWaits === true) event.skipWaits = true;
  if (dto.actor) event.actor = readSubscriber(dto.actor);
  if (!tenant.scopes.includes('write')) event.forThisEventOnly = true;
  await assertSize(event);
  return { event, files: [...ofPayload.files, ...ofOverrides.files] };
}

/** Keys of steps that the workflow does not have. */
export function strayStepFaults({ steps }: ResolvedWorkflow, given: unknown, property: string): string[] {
  const known = steps.map(stepKeys);
  const all = new Set(known.flat());
  const stray = Object.keys(given ?? {}).filter((key) => !all.has(key));
  const names = known.map(([name]) => name).join(', ');
  // Once: a workflow can have hundreds of steps.
  return stray.map(
    (key, at) => `${property}.${key} is no step of the workflow${at > 0 ? '' : `. Its steps are: ${names}`}`,
  );
}

/** Without overrides. Default values of variables complete the payload. */
export function eventOf(
  tenant: TenantContext,
  workflow: ResolvedWorkflow,
  { transactionId, recipients, payload }: Pick<NewEvent, 'transactionId' | 'recipients'> & { readonly payload: object },
): NewEvent {
  const { _organizationId, _environmentId, _userId, _apiKeyId } = ownerOf(tenant);
  return {
    _id: new Types.ObjectId(),
    _organizationId,
    _environmentId,
    _userId,
    _apiKeyId,
    _templateId: new Types.ObjectId(workflow.id),
    snapshotId: `${workflow.id}:${workflow.version}`,
    name: workflow.identifier,
    transactionId,
    recipients,
    payload: withDefaults(workflow, { ...payload }),
    overrides: {},
  };
}

type Owner = Pick<NewEvent, '_organizationId' | '_environmentId' | '_userId' | '_apiKeyId'>;

/** The caller of a key is the same object for some seconds. */
const owners = new WeakMap<TenantContext, Owner>();

function ownerOf(tenant: TenantContext): Owner {
  const known = owners.get(tenant);
  if (known !== undefined) return known;
  const owner = {
    _organizationId: new Types.ObjectId(tenant.organizationId),
    _environmentId: new Types.ObjectId(tenant.environmentId),
    _userId: new Types.ObjectId(tenant.userId),
    _apiKeyId: new Types.ObjectId(tenant.apiKeyId),
  };
  owners.set(tenant, owner);
  return owner;
}

/** Estimated size of an event without what its sender chooses. */
const BARE_BYTES = 1_000;
const RECIPIENTS_PER_TURN = 5_000;

/** An event can have 100,000 recipients: pauses let other requests run. */
async function assertSize({
  payload,
  overrides,
  actor,
  recipients: { list, topics, without, segments },
}: NewEvent): Promise<void> {
  let bytes = BARE_BYTES + sharedSize(payload) + sharedSize(overrides);
  const isMore = actor !== undefined || topics.length > 0 || segments !== undefined;
  if (isMore) bytes += BSON.calculateObjectSize({ actor, topics, without, segments });
  const turns = new Turns();
  for (let from = 0; from < list.length; from += RECIPIENTS_PER_TURN) {
    bytes += BSON.calculateObjectSize(list.slice(from, from + RECIPIENTS_PER_TURN));
    await turns.offer();
  }
  if (bytes > MAX_EVENT_BYTES) throw new EventTooLarge(bytes, MAX_EVENT_BYTES);
}

type Payload = Readonly<Record<string, unknown>>;

/** Missing or of a wrong type: `name (Value)`, `sendAt (ISO Date)`. */
export function missingFromPayload(workflow: Pick<ResolvedWorkflow, 'steps'>, payload: Payload): string[] {
  const { variables, dates } = needsOf(workflow);
  if (variables.length === 0 && dates.length === 0) return [];
  return [
    ...new Set([
      ...missingVariables(variables, payload),
      ...dates.filter((path) => !isIsoDate(payload, path)).map((path) => `${path} (ISO Date)`),
    ]),
  ];
}

/** The payload with the default values of variables that it lacks. */
export function withDefaults(workflow: Pick<ResolvedWorkflow, 'steps'>, payload: Payload): Record<string, unknown> {
  return { ...withVariableDefaults(needsOf(workflow).variables, payload) };
}

interface Needs {
  readonly variables: readonly TemplateVariable[];
  /** Paths of dates. */
  readonly dates: readonly string[];
}

/** All triggers of some seconds have the same workflow. */
const needs = new WeakMap<ResolvedWorkflow['steps'], Needs>();

/** What active steps use of the payload. */
function needsOf({ steps }: Pick<ResolvedWorkflow, 'steps'>): Needs {
  const known = needs.get(steps);
  if (known !== undefined) return known;
  const active = steps.filter((step) => step.active);
  const found = {
    variables: active
      .flatMap((step) => [step, ...step.variants])
      .flatMap(({ template }) => (template['variables'] as TemplateVariable[] | undefined) ?? []),
    dates: active.flatMap(datePathsOf),
  };
  needs.set(steps, found);
  return found;
}

function datePathsOf({ template, metadata }: ResolvedStep): string[] {
  const { dates = [] } = STEP_TYPES.get(template.type)?.needs?.({ template, metadata }) ?? {};
  return dates.filter((path) => typeof path === 'string');
}

function isIsoDate(payload: Payload, path: string): boolean {
  const value = readPath(payload, path);
  return typeof value === 'string' && isMoment(value);
}
