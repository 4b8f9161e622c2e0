import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsLocale, IsObject, IsOptional, ValidateNested } from 'class-validator';
import type { z } from 'zod';
import { apiOf, AsSent, freeForm, IsFreeForm, IsValidBy, OptionalString } from '#libs/http-kit';
import { CONTENT_TYPES, type ContentType } from '#libs/templates';
import { list } from '#libs/validation';
import { draftStepFields, faultsOfDraftStep, type SentStep, sentStep } from '../../content/workflows/index.js';
import {
  describedActor,
  describedSubscriber,
  describedTenant,
  SUBSCRIBER_FIELDS,
  TENANT_FIELDS,
} from '../events/index.js';

const MAX_EVENTS = 1_000;
const MAX_CONTENT_LENGTH = 500_000;
const MAX_LINE_LENGTH = 5_000;

const sampleEvents = list(freeForm, {
  max: MAX_EVENTS,
  error: 'must be an array of payloads',
  wrongLength: `must contain at most ${MAX_EVENTS} payloads`,
});

/** What a step is rendered with. */
export class StepSampleDto {
  /** Values that the templates use. */
  @IsOptional()
  @IsFreeForm()
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, example: { order: { number: 4711 } } })
  payload?: Record<string, unknown> | null;

  /**
   * The recipient: the id of a stored subscriber, or an object. An object is merged with the stored subscriber, if there
   * is one, and is not stored. Default: a sample subscriber.
   */
  @IsOptional()
  @IsValidBy('isSubscriber', describedSubscriber, () => SUBSCRIBER_FIELDS)
  @ApiPropertyOptional({ ...apiOf(describedSubscriber), example: { subscriberId: 'ada', firstName: 'Ada' } })
  subscriber?: z.infer<typeof describedSubscriber> | null;

  /** Subscriber who caused the event, as `subscriber`. */
  @IsOptional()
  @IsValidBy('isActor', describedActor, () => SUBSCRIBER_FIELDS)
  @ApiPropertyOptional({ ...apiOf(describedActor), example: { subscriberId: 'grace', firstName: 'Grace' } })
  actor?: z.infer<typeof describedActor>;

  /** The identifier of a stored tenant, or an object, which is merged with the stored tenant and is not stored. */
  @IsOptional()
  @IsValidBy('isTenant', describedTenant, () => TENANT_FIELDS)
  @ApiPropertyOptional({ ...apiOf(describedTenant), example: { identifier: 'acme', name: 'Acme Corporation' } })
  tenant?: z.infer<typeof describedTenant>;

  /**
   * Locale in which the step is rendered, in place of the subscriber's.
   * @example de-AT
   */
  @IsOptional()
  @IsLocale()
  @ApiPropertyOptional({ type: String, nullable: true })
  locale?: string | null;

  /**
   * Payloads that a digest in front of the step has collected. Default: the payload alone, if there is such a digest.
   */
  @IsOptional()
  @IsValidBy('areEvents', sampleEvents)
  @ApiPropertyOptional({
    type: 'array',
    maxItems: MAX_EVENTS,
    items: { type: 'object', additionalProperties: true },
    example: [{ order: { number: 4711 } }, { order: { number: 4712 } }],
  })
  events?: Record<string, unknown>[] | null;

  /** Id of a variant of the step. Default: the step's own content. */
  @OptionalString()
  variantId?: string | null;
}

/** Content that is not stored yet. */
export class DraftTemplateDto {
  /** Subject; a template. @example Your order {{order.number}} */
  @OptionalString(MAX_LINE_LENGTH)
  subject?: string | null;
  /** Preview text that mail clients show next to the subject; a template. */
  @OptionalString(MAX_LINE_LENGTH)
  preheader?: string | null;
  /** Name of the sender; a template. */
  @OptionalString(MAX_LINE_LENGTH)
  senderName?: string | null;
  /** Title; a template. */
  @OptionalString(MAX_LINE_LENGTH)
  title?: string | null;
  /** Text, or HTML of an email; a template. @example <p>Hello {{subscriber.firstName}}</p> */
  @OptionalString(MAX_CONTENT_LENGTH)
  content?: string | null;
  /** Format of an email's content. */
  @IsOptional()
  @IsIn(CONTENT_TYPES)
  @ApiPropertyOptional({ enum: CONTENT_TYPES, nullable: true })
  contentType?: ContentType | null;
}

export class PreviewStepDto extends StepSampleDto {
  /** Replaces the stored content, field by field. Faults of the templates are part of the response. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => DraftTemplateDto)
  template?: DraftTemplateDto | null;
}

/** A step that is not stored, and what it is rendered with. */
export class PreviewDraftStepDto extends OmitType(StepSampleDto, ['variantId']) {
  /**
   * The step, as a workflow has it, without variants. Faults of its templates are part of the response. Its conditions do
   * not decide.
   */
  @AsSent()
  @IsValidBy('isDraftStep', faultsOfDraftStep, draftStepFields)
  @ApiProperty({
    ...apiOf(sentStep),
    example: { template: { type: 'sms', content: 'Order {{order.number}} is on its way.' } },
  })
  step: SentStep;
}

export class TestStepDto extends StepSampleDto {
  /**
   * Email address or phone number to send to, in place of the subscriber's. Required for emails and text messages without
   * `subscriber`; in-app, chat and push messages go to a stored subscriber.
   * @example me@example.com
   */
  @OptionalString()
  to?: string | null;

  /**
   * Identifier of the integration to send with. Default: the one that the channel uses.
   * @example sendgrid-4f1a
   */
  @OptionalString()
  integrationIdentifier?: string | null;
}
