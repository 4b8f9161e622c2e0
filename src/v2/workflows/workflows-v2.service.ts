import { Injectable } from '@nestjs/common';
import type { Caller, TenantContext } from '#libs/common';
import { createValidationPipe, shown } from '#libs/http-kit';
import { isObject, type RawObject } from '#libs/validation';
import { NotificationGroupsService } from '../../content/notification-groups/index.js';
import {
  WorkflowDefinitionDto,
  WorkflowDefinitionsService,
  WorkflowIdentifierTaken,
  WorkflowNotFound,
  type WorkflowResponse,
  WorkflowsService,
} from '../../content/workflows/index.js';
import { PreviewDraftStepDto, StepNotFound, StepPreviewsService } from '../../engine/previews/index.js';
import { refuseFields } from '../not-served/index.js';
import type {
  CreateWorkflowV2Dto,
  PatchWorkflowV2Dto,
  PreviewStepV2Dto,
  StepV2,
  UpdateWorkflowV2Dto,
} from './workflow-v2.dto.js';
import type { ListWorkflowsV2Query } from './list-workflows-v2.dto.js';
import { portableStepsOf, preferenceFields, sharedFields } from './workflow-definition-v2.js';
import {
  namesOf,
  showListItem,
  showWorkflowV2,
  StepPreviewV2Response,
  type StepV2Response,
  valuesOf,
  WorkflowListV2Response,
  type WorkflowV2Response,
} from './workflow-v2.response.js';
import { previewOf } from './step-preview-v2.js';
import { WorkflowBeyondControls } from './workflows-v2.errors.js';

const NO_VALIDATION = 'Herald does not validate payloads. Leave it out.';
const NEWEST_FIRST = 'workflows are listed newest first. Leave it out.';

/** What later clients send for workflows, as definitions of them. */
@Injectable()
export class WorkflowsV2Service {
  private readonly pipe = createValidationPipe();

  constructor(
    private readonly workflows: WorkflowsService,
    private readonly definitions: WorkflowDefinitionsService,
    private readonly groups: NotificationGroupsService,
    private readonly previews: StepPreviewsService,
  ) {}

  async list(tenant: TenantContext, query: ListWorkflowsV2Query): Promise<WorkflowListV2Response> {
    const { limit, offset, query: text, orderBy, orderDirection, tags, status } = query;
    const isNewestFirst = (orderBy ?? 'createdAt') === 'createdAt' && orderDirection !== 'ASC';
    refuseFields({ ...(!isNewestFirst && { orderBy, orderDirection }), tags, status }, NEWEST_FIRST);
    const page = Math.floor(offset / limit);
    const read = (at: number) => this.workflows.list(tenant, { page: at, limit, ...(text && { query: text }) });
    const first = await read(page);
    const within = offset % limit;
    const rows =
      within === 0 ? first.data : [...first.data, ...(await read(page + 1)).data].slice(within, within + limit);
    return shown(WorkflowListV2Response, { workflows: rows.map(showListItem), totalCount: first.totalCount ?? 0 });
  }

  async get(tenant: TenantContext, id: string): Promise<WorkflowV2Response> {
    const { workflow, layouts } = await this.read(tenant, id);
    return showWorkflowV2(workflow, layouts);
  }

  async step(tenant: TenantContext, id: string, stepId: string): Promise<StepV2Response> {
    const { steps } = await this.get(tenant, id);
    const found = steps.find((one) => one._id === stepId || one.stepId === stepId);
    if (found === undefined) throw new StepNotFound(stepId);
    return found;
  }

  /** @throws {WorkflowIdentifierTaken} */
  async create(tenant: TenantContext, dto: CreateWorkflowV2Dto): Promise<WorkflowV2Response> {
    const { workflowId, name, steps, preferences } = dto;
    assertServed(dto);
    const { name: notificationGroup } = await this.groups.getDefault(tenant);
    if ((await this.definitions.find(tenant, workflowId)) !== undefined) throw new WorkflowIdentifierTaken(workflowId);
    const definition = {
      identifier: workflowId,
      name,
      notificationGroup,
      ...sharedFields(dto),
      ...preferenceFields(preferences),
      templateLanguage: 'liquid',
      steps: portableStepsOf(steps),
    };
    return this.define(tenant, definition, null);
  }

  /** What the newer interface does not know stays as it is. */
  async update(tenant: TenantContext, id: string, dto: UpdateWorkflowV2Dto): Promise<WorkflowV2Response> {
    assertServed(dto);
    const { workflow, definition, layouts } = await this.read(tenant, id);
    const names = namesOf(workflow);
    const isSayable = workflow.steps.every((step, place) => valuesOf(step, names, layouts[place]) !== undefined);
    if (workflow.templateLanguage !== 'liquid' || !isSayable) throw new WorkflowBeyondControls(definition.identifier);
    const stored = { shown: workflow.steps, portable: definition.steps as unknown as RawObject[] };
    const own = { ...sharedFields(dto), ...preferenceFields(dto.preferences) };
    const after = { ...definition, name: dto.name, ...own, steps: portableStepsOf(dto.steps, stored) };
    return this.define(tenant, after, definition);
  }

  async patch(tenant: TenantContext, id: string, dto: PatchWorkflowV2Dto): Promise<WorkflowV2Response> {
    assertServed(dto);
    const { definition } = await this.read(tenant, id);
    const own = { ...sharedFields(dto), ...(dto.name && { name: dto.name }) };
    return this.define(tenant, { ...definition, ...own }, definition);
  }

  async remove(tenant: Caller, id: string): Promise<void> {
    const { _id } = await this.workflows.get(tenant, id);
    await this.workflows.remove(tenant, _id);
  }

  async preview(
    tenant: TenantContext,
    id: string,
    stepId: string,
    { controlValues, previewPayload }: PreviewStepV2Dto,
  ): Promise<StepPreviewV2Response> {
    const { name, type, controls, ...step } = await this.step(tenant, id, stepId);
    const sent: StepV2 = {
      stepId: step.stepId,
      name,
      type,
      controlValues: { ...controls.values, ...controlValues, skip: {} },
    };
    const [{ template, metadata }] = portableStepsOf([sent]) as [{ template: RawObject; metadata: RawObject }];
    const { layout: _, ...content } = template;
    const { payload, subscriber } = (previewPayload ?? {}) as { payload?: RawObject; subscriber?: RawObject };
    const draft = await this.checked(PreviewDraftStepDto, {
      step: { template: content, metadata },
      payload: payload ?? {},
      ...(isObject(subscriber) && typeof subscriber['subscriberId'] === 'string' && { subscriber }),
    });
    const found = await this.previews.previewDraft(tenant, step.workflowDatabaseId, draft);
    return shown(StepPreviewV2Response, {
      previewPayloadExample: { ...(previewPayload ?? {}), payload: payload ?? {} },
      schema: null,
      result: previewOf(found),
    });
  }

  private async define(
    tenant: TenantContext,
    definition: object,
    expected: object | null,
  ): Promise<WorkflowV2Response> {
    const dto = await this.checked(WorkflowDefinitionDto, definition);
    await this.definitions.define(tenant, dto, false, { expected });
    return this.get(tenant, dto.identifier);
  }

  /** As if it were sent. @throws {ValidationFailed} */
  private async checked<T>(metatype: new () => T, body: object): Promise<T> {
    return (await this.pipe.transform(body, { type: 'body', metatype })) as T;
  }

  private async read(tenant: TenantContext, id: string): Promise<ReadWorkflow> {
    const workflow = await this.workflows.get(tenant, id);
    const found = await this.definitions.find(tenant, workflow.triggers[0]?.identifier ?? id);
    if (found === undefined) throw new WorkflowNotFound(id); // deleted in between
    const { definition } = found;
    return { workflow, definition, layouts: definition.steps.map(({ template }) => template.layout ?? undefined) };
  }
}

interface ReadWorkflow {
  readonly workflow: WorkflowResponse;
  readonly definition: WorkflowDefinitionDto;
  /** Identifiers of the layouts of the steps. */
  readonly layouts: readonly (string | undefined)[];
}

function assertServed({ validatePayload, ...dto }: PatchWorkflowV2Dto & { readonly agent?: unknown }): void {
  refuseFields({ validatePayload: validatePayload === true || undefined }, NO_VALIDATION);
  refuseFields({ agent: dto.agent }, 'Herald has no agents. Leave it out.');
}
