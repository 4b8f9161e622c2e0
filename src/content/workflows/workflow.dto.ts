import { ApiProperty, ApiPropertyOptional, OmitType, PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { Allow, IsBoolean, IsMongoId, IsObject, IsOptional, ValidateIf, ValidateNested } from 'class-validator';
import {
  AsSent,
  IsName,
  IsValidBy,
  IsValidInTurnsBy,
  NAME_LENGTH,
  OptionalId,
  OptionalString,
  PageQuery,
  ReadBack,
} from '#libs/http-kit';
import { isGiven, isObject, openApiOf } from '#libs/validation';
import { WorkflowOptionsDto } from './options.js';
import { MAX_STEPS, type SentStep, step, stepFields } from './steps/step.schema.js';
import { validateChangedStepsInTurns, validateStepsInTurns } from './steps/validate-steps.js';

export const NOTE_LENGTH = 500;
const MAX_TAGS = 100;

/** A step of each kind that needs an explanation, for the OpenAPI document; it can be sent as it is. */
const STEPS_EXAMPLE = [
  {
    name: 'Wait for further orders',
    template: { type: 'digest' },
    metadata: { type: 'regular', amount: 5, unit: 'minutes', digestKey: 'customer.id' },
  },
  {
    name: 'Tell the customer',
    template: {
      type: 'in_app',
      content: 'Hello {{subscriber.firstName}}, order {{order.number}} is on its way',
      cta: { type: 'redirect', data: { url: '/orders/{{order.number}}' } },
    },
    filters: [
      {
        isNegated: false,
        type: 'BOOLEAN',
        value: 'AND',
        children: [{ on: 'payload', field: 'order.total', operator: 'LARGER', value: '0' }],
      },
    ],
  },
];

export class ListWorkflowsDto extends PageQuery {
  /**
   * Only workflows whose name or trigger identifier contains this text; case-insensitive.
   * @example order
   */
  @OptionalString()
  query?: string;
}

/** Switches of the five channels. Absent ones are unchanged; default: true. */
export class PreferenceSettingsDto {
  /**
   * Whether email is used.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  email?: boolean | null;

  /**
   * Whether SMS is used.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  sms?: boolean | null;

  /**
   * Whether in-app messages are used.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  in_app?: boolean | null;

  /**
   * Whether chat is used.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  chat?: boolean | null;

  /**
   * Whether push is used.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  push?: boolean | null;
}

/** Names a notification group. */
export class BlueprintGroupDto {
  /**
   * Name of the group; required with `blueprintId`.
   * @example General
   */
  @ApiPropertyOptional({ maxLength: NAME_LENGTH })
  name?: string;
}

/** What answers show of a workflow and no request sets; `deprecated` is what older clients send. */
const SHOWN_OF_WORKFLOWS = ['deprecated', 'triggers', 'type', 'origin', 'isBlueprint', 'workflowIntegrationStatus'];

@ReadBack(...SHOWN_OF_WORKFLOWS)
export class CreateWorkflowDto extends WorkflowOptionsDto {
  /**
   * Display name. Its slug becomes the trigger identifier: `Order shipped` becomes `order-shipped`.
   * @example "Order shipped"
   */
  @IsName()
  name: string;

  /**
   * Id of the notification group; GET /v1/notification-groups lists them. By default the oldest group of the
   * environment. Ignored if `blueprintId` and `notificationGroup` are given.
   * @example 64f0c1a2b3c4d5e6f7a8b9c0
   */
  @IsOptional()
  @IsMongoId({ message: '$property must be the id of a notification group; GET /v1/notification-groups lists them' })
  notificationGroupId?: string | null;

  /** Steps in the order in which they run; at most 200. */
  @ApiProperty({ type: 'array', items: openApiOf(step), maxItems: MAX_STEPS, example: STEPS_EXAMPLE })
  @AsSent()
  @IsValidInTurnsBy('areSteps', validateStepsInTurns, stepFields)
  steps: SentStep[];

  /** With `blueprintId` only: the group by its name, instead of `notificationGroupId`; created if it does not exist. */
  @ValidateIf(({ blueprintId }: CreateWorkflowDto, group: unknown) => isGiven(group) || isNamed(blueprintId))
  @IsValidBy('isBlueprintGroup', faultsOfBlueprintGroup)
  @ApiPropertyOptional({ type: () => BlueprintGroupDto, nullable: true })
  notificationGroup?: BlueprintGroupDto | null;

  /** Labels for grouping workflows. */
  @ApiPropertyOptional({
    type: 'array',
    nullable: true,
    maxItems: MAX_TAGS,
    items: { type: 'string', maxLength: NAME_LENGTH },
    example: ['orders'],
  })
  @IsOptional()
  @IsValidBy('areTags', faultsOfTags)
  tags?: string[] | null;

  /**
   * Only active workflows can be triggered. Default: false.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  active?: boolean | null;

  /**
   * Whether the workflow is a draft. Default: the opposite of `active`.
   * @example false
   */
  @IsOptional()
  @IsBoolean()
  draft?: boolean | null;

  /**
   * Subscribers cannot switch off a critical workflow. Default: false.
   * @example false
   */
  @IsOptional()
  @IsBoolean()
  critical?: boolean | null;

  /** Channels that the workflow uses unless a subscriber's preference says otherwise. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => PreferenceSettingsDto)
  preferenceSettings?: PreferenceSettingsDto | null;

  /**
   * Your id of the blueprint that the workflow is created from. Name the group by `notificationGroup.name` then,
   * because the ids of another environment are not valid in this one.
   * @example order-shipped
   */
  @OptionalString()
  blueprintId?: string | null;

  /** Accepted for compatibility; has no effect. */
  @Allow()
  @ApiPropertyOptional({
    nullable: true,
    oneOf: [
      { type: 'boolean' },
      { type: 'string' },
      { type: 'number' },
      { type: 'object' },
      { type: 'array', items: {} },
    ],
  })
  deprecated?: unknown;

  /**
   * Note on this change, which the list of versions shows.
   * @example "Shorter subject"
   */
  @OptionalString(NOTE_LENGTH)
  note?: string | null;
}

/**
 * What is absent stays; null removes what can be absent. `steps` replaces the list, `preferenceSettings` is merged.
 * PUT /v1/workflows/{workflowId}/status switches it on and off.
 */
@ReadBack(...SHOWN_OF_WORKFLOWS, 'active', 'draft', 'blueprintId', 'notificationGroup')
export class UpdateNotificationTemplateDto extends PartialType(
  OmitType(CreateWorkflowDto, ['name', 'active', 'draft', 'steps', 'blueprintId', 'notificationGroup']),
) {
  /** Steps in the order in which they run; at most 200. */
  @IsOptional()
  @AsSent()
  @IsValidInTurnsBy('areSteps', validateChangedStepsInTurns, stepFields)
  @ApiPropertyOptional({
    type: 'array',
    items: openApiOf(step),
    maxItems: MAX_STEPS,
    example: STEPS_EXAMPLE,
    nullable: true,
  })
  steps?: SentStep[] | null;

  /**
   * New display name; empty: unchanged. The trigger identifier does not change.
   * @example "Order shipped"
   */
  @ValidateIf(({ name }: UpdateNotificationTemplateDto) => name !== undefined && name !== null && name !== '')
  @IsName()
  @ApiPropertyOptional({ type: String, maxLength: NAME_LENGTH, minLength: 0, nullable: true })
  name?: string | null;

  /**
   * New trigger identifier, used exactly as given.
   * @example order-shipped
   */
  @OptionalId()
  identifier?: string | null;
}

/** Body of the older path. */
export class UpdateWorkflowDto extends UpdateNotificationTemplateDto {}

export class WorkflowStatusDto {
  /**
   * Only active workflows can be triggered.
   * @example true
   */
  @IsBoolean()
  active: boolean;
}

/**
 * An object in any case. Its name is needed, and looked at, only where a blueprint is named: otherwise it is not used.
 */
function faultsOfBlueprintGroup(group: unknown, property: string, workflow: object): string[] {
  if (!isObject(group)) return [`${property} must be an object`];
  const { name } = group;
  const isName = typeof name === 'string' && name.trim() !== '' && name.length <= NAME_LENGTH && !name.includes('\0');
  if (isName || !isNamed((workflow as CreateWorkflowDto).blueprintId)) return [];
  return [`${property}.name must be a string of 1 to ${NAME_LENGTH} characters that is not blank`];
}

function isNamed(id: string | null | undefined): boolean {
  return isGiven(id) && id !== '';
}

function faultsOfTags(tags: unknown, property: string): string[] {
  if (!Array.isArray(tags)) return [`${property} must be an array of texts`];
  if (tags.length > MAX_TAGS) return [`${property} must contain at most ${MAX_TAGS} texts`];
  return (tags as unknown[]).flatMap((tag, index) =>
    typeof tag === 'string' && tag.length <= NAME_LENGTH
      ? []
      : [`${property}.${index} must be a text of at most ${NAME_LENGTH} characters`],
  );
}
