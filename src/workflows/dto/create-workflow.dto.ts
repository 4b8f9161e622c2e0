import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsMongoId, IsObject, IsOptional, ValidateIf, ValidateNested } from 'class-validator';
import { AsSent, IsFreeForm, IsName, IsValidBy, NAME_LENGTH, OptionalString } from '#libs/http-kit';
import type { SentStep } from '../steps/step.types.js';
import { MAX_STEPS, validateSteps } from '../steps/validate-steps.js';
import { STEPS_EXAMPLE } from './steps.example.js';
import { PreferenceSettingsDto } from './preference-settings.dto.js';

export const DESCRIPTION_LENGTH = 1000;
const MAX_TAGS = 100;

/** Names a notification group. */
export class BlueprintGroupDto {
  /**
   * Name of the group.
   * @example General
   */
  @IsName()
  name: string;
}

export class CreateWorkflowDto {
  /**
   * Name for people; its slug becomes the trigger identifier.
   * @example "Order shipped"
   */
  @IsName()
  name: string;

  /**
   * Id of the notification group that it belongs to.
   * @example 64f0c1a2b3c4d5e6f7a8b9c0
   */
  @IsMongoId()
  notificationGroupId: string;

  /** What happens, in this order. */
  @ApiProperty({
    type: 'array',
    maxItems: MAX_STEPS,
    items: { type: 'object', additionalProperties: true },
    example: STEPS_EXAMPLE,
  })
  @AsSent()
  @IsValidBy('areSteps', validateSteps)
  steps: SentStep[];

  /** With `blueprintId` only: the group, by its name; it is made if there is none. */
  @ValidateIf((dto: CreateWorkflowDto) => (dto.blueprintId ?? '') !== '')
  @IsObject()
  @ValidateNested()
  @Type(() => BlueprintGroupDto)
  notificationGroup?: BlueprintGroupDto | null;

  /** Free words to sort workflows by. */
  @ApiPropertyOptional({
    type: 'array',
    nullable: true,
    maxItems: MAX_TAGS,
    items: { type: 'string', maxLength: NAME_LENGTH },
    example: ['orders'],
  })
  @IsOptional()
  @IsValidBy('areTags', validateTags)
  tags?: string[] | null;

  /**
   * What it is for.
   * @example Tells the customer that the parcel is on its way
   */
  @OptionalString(DESCRIPTION_LENGTH)
  description?: string | null;

  /**
   * Only active workflows can be triggered. False unless given.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  active?: boolean | null;

  /** The opposite of `active` unless given. */
  @IsOptional()
  @IsBoolean()
  draft?: boolean | null;

  /** Subscribers cannot switch a critical workflow off. */
  @IsOptional()
  @IsBoolean()
  critical?: boolean | null;

  /** Channels that it uses unless a subscriber decides otherwise. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => PreferenceSettingsDto)
  preferenceSettings?: PreferenceSettingsDto | null;

  /**
   * Id of the blueprint that it is made from; `notificationGroup.name` is needed then.
   * @example welcome-blueprint
   */
  @OptionalString()
  blueprintId?: string | null;

  /** Free-form data. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, example: { team: 'shop' } })
  @IsOptional()
  @IsFreeForm()
  data?: Record<string, unknown> | null;
}

function validateTags(tags: unknown, property: string): string[] {
  if (!Array.isArray(tags)) return [`${property} must be an array of texts`];
  if (tags.length > MAX_TAGS) return [`${property} must contain at most ${MAX_TAGS} texts`];
  return (tags as unknown[]).flatMap((tag, index) =>
    typeof tag === 'string' && tag.length <= NAME_LENGTH
      ? []
      : [`${property}.${index} must be a text of at most ${NAME_LENGTH} characters`],
  );
}
