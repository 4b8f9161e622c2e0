import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CHANNELS } from '#libs/channels';
import { shown } from '#libs/http-kit';
import type { RawObject } from '#libs/validation';
import {
  SEVERITIES,
  type Severity,
  type WorkflowResponse,
  type WorkflowSummaryResponse,
} from '../../content/workflows/index.js';
import { controlValuesOf } from './control-values.js';
import { ruleOf, type StepNames } from './json-logic.js';

const OBJECT = { type: 'object', additionalProperties: true } as const;
const STATUSES = ['ACTIVE', 'INACTIVE', 'ERROR'] as const;
const ORIGINS = ['novu-cloud', 'external', 'novu-cloud-v1'] as const;
type Origin = (typeof ORIGINS)[number];

/** The content of a step. */
export class StepControlsResponse {
  /** By the type of the step. Empty for steps of which the newer interface knows nothing. */
  @ApiProperty({ ...OBJECT, example: { body: 'Order {{payload.number}} is on its way.' } })
  values: RawObject;
}

export class StepV2Response {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Your identifier of the step. @example mail */
  stepId: string;
  /** Equal to `stepId`. */
  slug: string;
  /** Name of the step. @example Tell the customer */
  name: string;
  /** Type of the step; `custom` for those of which the newer interface knows nothing. @example sms */
  type: string;
  /** `novu-cloud` for Liquid, `novu-cloud-v1` for Handlebars. */
  @ApiProperty({ enum: ORIGINS })
  origin: Origin;
  /** Trigger identifier of the workflow. @example order-shipped */
  workflowId: string;
  /** Id of the workflow. @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  workflowDatabaseId: string;
  controls: StepControlsResponse;
  /** Equal to `controls.values`. */
  @ApiProperty(OBJECT)
  controlValues: RawObject;
  /** JSON schema of what templates read. */
  @ApiProperty(OBJECT)
  variables: RawObject;
}

/** Preferences of a workflow, in two equal forms. */
export class WorkflowPreferencesV2Response {
  /** As they are set. */
  @ApiProperty(OBJECT)
  user: RawObject;
  /** As they would be without being set. */
  @ApiProperty(OBJECT)
  default: RawObject;
}

abstract class WorkflowFieldsV2 {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Trigger identifier. @example order-shipped */
  workflowId: string;
  /** Equal to `workflowId`. */
  slug: string;
  /** Display name. @example Order shipped */
  name: string;
  /** Labels. @example ["orders"] */
  tags: string[];
  /** Whether the workflow can be triggered. */
  @ApiProperty({ enum: STATUSES, example: 'ACTIVE' })
  status: (typeof STATUSES)[number];
  /** `novu-cloud` for Liquid, `novu-cloud-v1` for Handlebars. */
  @ApiProperty({ enum: ORIGINS })
  origin: Origin;
  /** Always true: translations work in all workflows. */
  isTranslationEnabled: boolean;
  createdAt: Date;
  updatedAt: Date;
}

export class WorkflowV2Response extends WorkflowFieldsV2 {
  /** Description. @example Tells the customer */
  description?: string;
  /** Whether the workflow can be triggered. */
  active: boolean;
  /** How urgent the messages are. */
  @ApiProperty({ enum: SEVERITIES })
  severity: Severity;
  preferences: WorkflowPreferencesV2Response;
  /** The steps, in order. */
  @ApiProperty({ type: () => [StepV2Response] })
  steps: StepV2Response[];
}

export class StepListV2Response {
  /** Identifier of the step. @example mail */
  slug: string;
  /** Type of the step. @example sms */
  type: string;
}

export class WorkflowListItemV2Response extends WorkflowFieldsV2 {
  /** Types of the steps, in order. @example ["sms"] */
  stepTypeOverviews: string[];
  /** The steps, in order. */
  @ApiProperty({ type: () => [StepListV2Response] })
  steps: StepListV2Response[];
}

export class WorkflowListV2Response {
  /** Newest first. */
  @ApiProperty({ type: () => [WorkflowListItemV2Response] })
  workflows: WorkflowListItemV2Response[];
  /** Number of workflows that match. @example 1 */
  @ApiProperty({ type: 'integer' })
  totalCount: number;
}

export class StepPreviewV2Response {
  /** What was used. */
  @ApiProperty({ ...OBJECT, example: { payload: {} } })
  previewPayloadExample: RawObject;
  /** Always null: Herald has no schema of payloads. */
  @ApiPropertyOptional({ type: Object, nullable: true })
  schema: null;
  /** The step as it would be sent, or what is wrong with it. */
  @ApiProperty({ ...OBJECT, example: { type: 'sms', preview: { body: 'Hello Ada' } } })
  result: RawObject;
}

type Shown = WorkflowResponse | WorkflowSummaryResponse;

function fieldsOf({ _id, name, tags, active, templateLanguage, triggers, createdAt, updatedAt }: Shown) {
  const identifier = triggers[0]?.identifier ?? _id;
  return {
    _id,
    workflowId: identifier,
    slug: identifier,
    name,
    tags,
    status: active ? ('ACTIVE' as const) : ('INACTIVE' as const),
    origin: templateLanguage === 'liquid' ? ('novu-cloud' as const) : ('novu-cloud-v1' as const),
    isTranslationEnabled: true,
    createdAt,
    updatedAt,
  };
}

export function showListItem(workflow: WorkflowSummaryResponse): WorkflowListItemV2Response {
  const steps = workflow.steps.map(({ stepId, uuid, template }) =>
    shown(StepListV2Response, { slug: stepId ?? uuid, type: template.type }),
  );
  const stepTypeOverviews = steps.map(({ type }) => type);
  return shown(WorkflowListItemV2Response, { ...fieldsOf(workflow), stepTypeOverviews, steps });
}

/** @param layouts identifiers of the layouts of the steps */
export function showWorkflowV2(
  workflow: WorkflowResponse,
  layouts: readonly (string | undefined)[],
): WorkflowV2Response {
  const { description, active, severity = 'none', critical, preferenceSettings } = workflow;
  const fields = fieldsOf(workflow);
  const channels = (isOn: (channel: (typeof CHANNELS)[number]) => boolean): RawObject =>
    Object.fromEntries(CHANNELS.map((channel) => [channel, { enabled: isOn(channel) }]));
  const names = namesOf(workflow);
  return shown(WorkflowV2Response, {
    ...fields,
    description,
    active,
    severity,
    preferences: shown(WorkflowPreferencesV2Response, {
      user: {
        all: { enabled: true, readOnly: critical },
        channels: channels((channel) => preferenceSettings[channel]),
      },
      default: { all: { enabled: true, readOnly: false }, channels: channels(() => true) },
    }),
    steps: workflow.steps.map((step, place) => {
      const values = valuesOf(step, names, layouts[place]);
      return shown(StepV2Response, {
        _id: step._id,
        stepId: step.stepId ?? step.uuid,
        slug: step.stepId ?? step.uuid,
        name: step.name ?? step.stepId ?? step.template.type,
        type: values === undefined ? 'custom' : step.template.type,
        origin: fields.origin,
        workflowId: fields.workflowId,
        workflowDatabaseId: workflow._id,
        controls: shown(StepControlsResponse, { values: values ?? {} }),
        controlValues: values ?? {},
        variables: variablesOf(workflow),
      });
    }),
  });
}

type ShownStep = WorkflowResponse['steps'][number];

/** @returns undefined for a step of which the newer interface cannot say everything */
export function valuesOf(step: ShownStep, names: StepNames, layout: string | undefined): RawObject | undefined {
  const { template, metadata, filters, variants, branch } = step;
  if (variants.length > 0 || branch !== undefined) return undefined;
  const values = controlValuesOf({ template: { ...template }, metadata }, layout);
  if (values === undefined || filters.length === 0) return values;
  const skip = ruleOf(filters, names);
  return skip && { ...values, skip };
}

export function namesOf({ steps }: Pick<WorkflowResponse, 'steps'>): StepNames {
  const uuids = new Map(steps.map(({ stepId, uuid }) => [stepId ?? uuid, uuid]));
  const stepIds = new Map(steps.map(({ stepId, uuid }) => [uuid, stepId ?? uuid]));
  return { uuidOf: (stepId) => uuids.get(stepId), stepIdOf: (uuid) => stepIds.get(uuid) };
}

function variablesOf({ triggers }: WorkflowResponse): RawObject {
  const names = (triggers[0]?.variables ?? []).map(({ name }) => [name, {}] as const);
  const payload = { type: 'object', properties: Object.fromEntries(names), additionalProperties: true };
  return { type: 'object', properties: { payload, subscriber: { type: 'object', additionalProperties: true } } };
}
