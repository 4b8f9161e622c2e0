import { ApiHideProperty, ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsMongoId, IsOptional } from 'class-validator';
import { z } from 'zod';
import {
  apiListOf,
  apiOf,
  AsSent,
  IsFreeForm,
  IsName,
  IsValidBy,
  NAME_LENGTH,
  OptionalString,
  ReadBack,
} from '#libs/http-kit';
import { described, flag, list, named, object, text } from '#libs/validation';
import { CreateWorkflowDto, MAX_STEPS } from '../../content/workflows/index.js';
import { NotServedField } from '../not-served/index.js';
import { CONTROLLED_TYPES } from './control-values.js';

const values = z.record(z.string(), z.unknown(), { error: 'must be an object' });

const sentStep = named(
  'StepV2Dto',
  object({
    _id: described(text(NAME_LENGTH).nullish(), { description: 'Id of a step that exists, which keeps it.' }),
    stepId: described(text(NAME_LENGTH).nullish(), {
      description: 'Your identifier of the step. Default: made from its name.',
      example: 'mail',
    }),
    name: described(text(NAME_LENGTH), { description: 'Name of the step.', example: 'Tell the customer' }),
    type: described(text(NAME_LENGTH), {
      description: `Type of the step: ${CONTROLLED_TYPES.join(', ')}.`,
      example: 'sms',
    }),
    controlValues: described(values.nullish(), {
      description:
        'Content of the step, by its type; texts are Liquid. `skip` is JSON-Logic: the step runs if it is true.',
    }),
  }),
  'A step of the newer interface.',
);
export type StepV2 = z.infer<typeof sentStep>;

const steps = list(sentStep, {
  max: MAX_STEPS,
  error: 'must be an array of steps',
  wrongLength: `must contain at most ${MAX_STEPS} steps`,
});

const switches = object({
  all: described(object({ enabled: flag().nullish(), readOnly: flag().nullish() }).nullish(), {
    description: 'Whether the workflow is on, and whether subscribers can change that.',
  }),
  channels: described(z.record(z.string(), object({ enabled: flag().nullish() })).nullish(), {
    description: 'Whether each channel is on.',
  }),
});

const preferences = named(
  'WorkflowPreferencesV2Dto',
  object({
    user: described(switches.nullish(), { description: 'Preferences of the workflow.' }),
    workflow: described(switches.nullish(), { description: 'Older form of `user`.' }),
  }),
  'Preferences of a workflow.',
);
export type PreferencesV2 = z.infer<typeof preferences>;

/** What each of the three requests can have. */
class WorkflowV2Fields extends PickType(CreateWorkflowDto, ['description', 'tags', 'active'] as const) {
  /** Whether payloads are validated: Herald cannot. */
  @ApiHideProperty()
  @NotServedField()
  validatePayload?: unknown;

  /** Stored nowhere: it only matters where payloads are validated. */
  @IsOptional()
  @IsFreeForm()
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, nullable: true })
  payloadSchema?: Record<string, unknown> | null;

  /** Has no effect: translations work in all workflows. */
  @IsOptional()
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, nullable: true })
  isTranslationEnabled?: boolean | null;
}

@ReadBack('_id', 'slug', 'status', 'issues', 'createdAt', 'updatedAt', 'lastTriggeredAt', 'payloadExample', 'origin')
export class UpdateWorkflowV2Dto extends WorkflowV2Fields {
  /**
   * Display name.
   * @example "Order shipped"
   */
  @IsName()
  name: string;

  /** Steps in the order in which they run; at most 200. */
  @AsSent()
  @IsValidBy('areSteps', steps)
  @ApiProperty({
    ...apiListOf(sentStep),
    maxItems: MAX_STEPS,
    example: [
      { stepId: 'text', name: 'Text', type: 'sms', controlValues: { body: 'Order {{payload.number}} is on its way.' } },
    ],
  })
  steps: StepV2[];

  /** Which channels are on, and whether subscribers can change that. */
  @IsOptional()
  @AsSent()
  @IsValidBy('arePreferences', preferences)
  @ApiPropertyOptional({ ...apiOf(preferences), nullable: true })
  preferences?: PreferencesV2 | null;

  /** How urgent the messages are. */
  @IsOptional()
  @IsIn(['none', 'low', 'medium', 'high'])
  @ApiPropertyOptional({ enum: ['none', 'low', 'medium', 'high'], nullable: true, example: 'high' })
  severity?: 'none' | 'low' | 'medium' | 'high' | null;

  /** Trigger identifier of the workflow, which does not change. */
  @OptionalString()
  workflowId?: string | null;

  @ApiHideProperty()
  @NotServedField()
  agent?: unknown;
}

export class CreateWorkflowV2Dto extends UpdateWorkflowV2Dto {
  /**
   * Trigger identifier.
   * @example order-shipped-v2
   */
  @IsName()
  @ApiProperty({ type: String, maxLength: NAME_LENGTH })
  declare workflowId: string;

  /** Where clients made it. */
  @ApiHideProperty()
  @IsOptional()
  @AsSent()
  __source?: unknown;
}

export class PatchWorkflowV2Dto extends WorkflowV2Fields {
  /**
   * Display name.
   * @example "Order shipped"
   */
  @IsOptional()
  @IsName()
  @ApiPropertyOptional({ type: String, maxLength: NAME_LENGTH, nullable: true })
  name?: string | null;
}

export class SyncWorkflowV2Dto {
  /**
   * Id of the environment that gets the workflow.
   * @example 64f0c1a2b3c4d5e6f7a8b9c0
   */
  @IsMongoId()
  targetEnvironmentId: string;
}

export class PreviewStepV2Dto {
  /** Replaces the stored content, value by value. */
  @IsOptional()
  @IsFreeForm()
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: { body: 'Hello {{payload.name}}' },
  })
  controlValues?: Record<string, unknown> | null;

  /** What it is rendered with: `payload` and `subscriber`. */
  @IsOptional()
  @IsFreeForm()
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: { payload: { name: 'Ada' } },
  })
  previewPayload?: Record<string, unknown> | null;
}
