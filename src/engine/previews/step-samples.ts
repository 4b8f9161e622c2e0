import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { TenantContext } from '#libs/common';
import { STEP_TYPES } from '#libs/plugins';
import { isGiven } from '#libs/validation';
import type { RunTenant } from '../delivery/index.js';
import { readSubscriber } from '../events/index.js';
import { type ResolvedSubscriber, SubscriberNotFound, SubscribersService } from '../../audience/subscribers/index.js';
import { TenantNotFound, TenantsService } from '../../audience/tenants/index.js';
import {
  DraftSteps,
  type ResolvedStep,
  type ResolvedWorkflow,
  WorkflowNotFound,
  WorkflowsService,
} from '../../content/workflows/index.js';
import { StepNotFound, VariantNotFound } from './previews.errors.js';
import type { PreviewDraftStepDto, StepSampleDto } from './step-preview.dto.js';

/** Default recipient. */
export const SAMPLE_SUBSCRIBER = {
  subscriberId: 'sample',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+15555550100',
} as const;

export interface StepSample {
  readonly workflow: ResolvedWorkflow;
  readonly step: ResolvedStep;
  readonly subscriber: ResolvedSubscriber;
  readonly isStored: boolean;
  readonly actor?: ResolvedSubscriber;
  readonly tenant?: RunTenant;
  readonly digestEvents?: readonly Record<string, unknown>[];
  readonly variantId?: string;
}

/** Stored records, described ones, or samples. Writes nothing. */
@Injectable()
export class StepSamples {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly subscribers: SubscribersService,
    private readonly tenants: TenantsService,
    private readonly drafts: DraftSteps,
  ) {}

  /**
   * @param path identifiers of the workflow and of the step
   */
  async read(
    caller: TenantContext,
    path: { readonly workflowId: string; readonly stepId: string },
    dto: StepSampleDto,
  ): Promise<StepSample> {
    const workflow = await this.workflows.findByIdOrIdentifier(caller, path.workflowId);
    if (workflow === undefined) throw new WorkflowNotFound(path.workflowId);
    const step = workflow.steps.find(({ id, uuid, stepId }) => [id, uuid, stepId].includes(path.stepId));
    if (step === undefined) throw new StepNotFound(path.stepId);
    const variantId = dto.variantId || undefined;
    if (variantId !== undefined && !step.variants.some(({ id }) => id === variantId))
      throw new VariantNotFound(variantId);
    const sample = await this.of(caller, workflow, step, dto);
    return { ...sample, ...(variantId !== undefined && { variantId }) };
  }

  /**
   * A step that is not stored, as the only step of a stored workflow.
   */
  async readDraft(caller: TenantContext, workflowId: string, dto: PreviewDraftStepDto): Promise<StepSample> {
    const stored = await this.workflows.findByIdOrIdentifier(caller, workflowId);
    if (stored === undefined) throw new WorkflowNotFound(workflowId);
    const step = await this.drafts.resolve(caller, dto.step);
    return this.of(caller, { ...stored, steps: [step] }, step, dto);
  }

  private async of(
    caller: TenantContext,
    workflow: ResolvedWorkflow,
    step: ResolvedStep,
    dto: StepSampleDto,
  ): Promise<StepSample> {
    const actor = isGiven(dto.actor) && dto.actor !== '' ? await this.subscriberOf(caller, dto.actor) : undefined;
    const tenant = isGiven(dto.tenant) && dto.tenant !== '' ? await this.tenantOf(caller, dto.tenant) : undefined;
    const digestEvents = digestEventsOf(workflow, step, dto);
    const subscriber = await this.subscriberOf(caller, dto.subscriber ?? SAMPLE_SUBSCRIBER);
    return {
      workflow,
      step,
      subscriber: { ...subscriber, ...(isGiven(dto.locale) && { locale: dto.locale }) },
      isStored: typeof dto.subscriber === 'string',
      ...(actor && { actor }),
      ...(tenant && { tenant }),
      ...(digestEvents && { digestEvents }),
    };
  }

  private async subscriberOf(
    caller: TenantContext,
    given: NonNullable<StepSampleDto['subscriber']>,
  ): Promise<ResolvedSubscriber> {
    const described = readSubscriber(given);
    const { subscriberId } = described;
    const foreseen = (await this.subscribers.foresee(caller, [described])).get(subscriberId);
    const isUnknown = typeof given === 'string' && foreseen?.change === 'create';
    if (foreseen === undefined || isUnknown) throw new SubscriberNotFound(subscriberId);
    return foreseen.subscriber;
  }

  private async tenantOf(
    caller: TenantContext,
    given: Exclude<NonNullable<StepSampleDto['tenant']>, ''>,
  ): Promise<RunTenant> {
    const { identifier, name, data } = typeof given === 'string' ? { identifier: given } : given;
    const found = await this.tenants.findByIdentifier(caller, identifier);
    if (found === undefined && typeof given === 'string') throw new TenantNotFound(identifier);
    const { _id = new Types.ObjectId().toHexString(), name: storedName = identifier, data: storedData } = found ?? {};
    const shownData = data ?? storedData;
    return { _id, identifier, name: name ?? storedName, ...(shownData && { data: shownData }) };
  }
}

function digestEventsOf(
  { steps }: ResolvedWorkflow,
  step: ResolvedStep,
  { events, payload }: StepSampleDto,
): readonly Record<string, unknown>[] | undefined {
  if (isGiven(events)) return events;
  const isDigested = steps
    .slice(0, steps.indexOf(step) + 1)
    .some((one) => (one.active || one === step) && STEP_TYPES.get(one.template.type)?.collects === true);
  return isDigested ? [payload ?? {}] : undefined;
}
