import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import {
  ACTOR_TYPES,
  BLOCK_TYPES,
  BUTTON_TYPES,
  CONTENT_TYPES,
  type ContentType,
  CTA_TYPES,
  TEXT_ALIGNS,
} from '#libs/templates';
import { TemplateVariableDto } from '../../layouts/index.js';

/** Looks of a block. */
export class EmailBlockStylesDto {
  /** Alignment of the text. */
  @ApiPropertyOptional({ enum: TEXT_ALIGNS })
  textAlign?: string;
}

/** One block of an editor's email. */
export class EmailBlockDto {
  /** Kind of block. */
  @ApiProperty({ enum: BLOCK_TYPES, example: 'text' })
  type: string;

  /**
   * Text of the block; a template.
   * @example Hello {{subscriber.firstName}}
   */
  content: string;

  /** Where a button leads; a template. */
  url?: string;

  /** Style of the block. */
  @ApiPropertyOptional({ type: () => EmailBlockStylesDto })
  styles?: EmailBlockStylesDto;
}

/** Where a message leads. */
export class StepLinkDto {
  /**
   * Address; a template.
   * @example /orders/{{order.number}}
   */
  url?: string;

  /**
   * Where a browser opens it.
   * @example _self
   */
  target?: string;
}

/** One button of an in-app message. */
export class StepButtonDto extends StepLinkDto {
  /** Which of the two buttons. */
  @ApiProperty({ enum: BUTTON_TYPES, example: 'primary' })
  type: string;

  /**
   * Text of the button; a template.
   * @example Accept
   */
  content: string;

  /**
   * Text of the button after it was used.
   * @example Accepted
   */
  resultContent?: string;
}

/** The buttons of an in-app message. */
export class StepActionDto {
  /** At most ten buttons. */
  @ApiPropertyOptional({ type: () => [StepButtonDto] })
  buttons?: StepButtonDto[];
}

/** What an in-app message asks for: an address to go to, and buttons. */
export class StepCtaDto {
  /** Always `redirect`. */
  @ApiPropertyOptional({ enum: CTA_TYPES })
  type?: string;

  /** Where the message leads. */
  @ApiPropertyOptional({ type: () => StepLinkDto })
  data?: StepLinkDto;

  /** Buttons. */
  @ApiPropertyOptional({ type: () => StepActionDto })
  action?: StepActionDto;
}

/** The picture beside an in-app message. */
export class StepActorDto {
  /** Picture beside the message: none, the actor's, an icon, or an image of your own. */
  @ApiProperty({ enum: ACTOR_TYPES, example: 'none' })
  type: string;

  /** Name of the icon, or address of the picture. */
  @ApiPropertyOptional({ type: String, nullable: true })
  data?: string | null;
}

/** What templates of all types have. */
abstract class StepTemplateBaseDto {
  /** Name of the template. */
  name?: string;

  /** Variables with types and default values; those that are required are checked when the workflow is triggered. */
  @ApiPropertyOptional({ type: () => [TemplateVariableDto] })
  variables?: TemplateVariableDto[];
}

/** A message in the feed of the subscriber. */
export class InAppTemplateDto extends StepTemplateBaseDto {
  @ApiProperty({ enum: ['in_app'], description: 'Type of the step.' })
  type: 'in_app';

  /**
   * Text of the message; a template. HTML is allowed.
   * @example Order {{order.number}} is on its way.
   */
  content?: string;

  /** Subject; a template. */
  subject?: string;

  /** Title; a template. */
  title?: string;

  /** Where the message leads, and its buttons. */
  @ApiPropertyOptional({ type: () => StepCtaDto })
  cta?: StepCtaDto;

  /** The picture beside the message. */
  @ApiPropertyOptional({ type: () => StepActorDto })
  actor?: StepActorDto;

  /** Id of the feed that the message belongs to. */
  @ApiPropertyOptional({ type: String, nullable: true, pattern: '^[0-9a-fA-F]{24}$' })
  feedId?: string | null;
}

/** An email. */
@ApiExtraModels(EmailBlockDto)
export class EmailTemplateDto extends StepTemplateBaseDto {
  @ApiProperty({ enum: ['email'], description: 'Type of the step.' })
  type: 'email';

  /**
   * Subject; a template.
   * @example Order {{order.number}} is on its way
   */
  subject?: string;

  /** HTML with `customHtml`, otherwise a text or blocks; a template. */
  @ApiPropertyOptional({
    oneOf: [{ type: 'string' }, { type: 'array', items: { $ref: getSchemaPath(EmailBlockDto) }, maxItems: 200 }],
    example: '<p>Hello {{subscriber.firstName}}</p>',
  })
  content?: string | EmailBlockDto[];

  /** How `content` is meant: blocks of an editor, or HTML. */
  @ApiPropertyOptional({ enum: CONTENT_TYPES, example: 'customHtml' })
  contentType?: ContentType;

  /** Preview text that mail clients show beside the subject; a template. */
  preheader?: string;

  /** Name of the sender, in the place of the integration's; a template. */
  senderName?: string;

  /** Id of the layout around the content. Absent: the default layout, if there is one. Null: none. */
  @ApiPropertyOptional({ type: String, nullable: true, pattern: '^[0-9a-fA-F]{24}$' })
  layoutId?: string | null;
}

/** A text message. */
export class SmsTemplateDto extends StepTemplateBaseDto {
  @ApiProperty({ enum: ['sms'], description: 'Type of the step.' })
  type: 'sms';

  /**
   * Text; a template.
   * @example Order {{order.number}} is on its way.
   */
  content?: string;
}

/** A message in a chat. */
export class ChatTemplateDto extends StepTemplateBaseDto {
  @ApiProperty({ enum: ['chat'], description: 'Type of the step.' })
  type: 'chat';

  /**
   * Text; a template.
   * @example Order {{order.number}} is on its way.
   */
  content?: string;
}

/** A push message. */
export class PushTemplateDto extends StepTemplateBaseDto {
  @ApiProperty({ enum: ['push'], description: 'Type of the step.' })
  type: 'push';

  /**
   * Title; a template.
   * @example On its way
   */
  title?: string;

  /**
   * Text; a template.
   * @example Order {{order.number}} is on its way.
   */
  content?: string;
}

/** Collects events for some time; later steps see them as `step.events`. `metadata` says for how long. */
export class DigestTemplateDto {
  @ApiProperty({ enum: ['digest'], description: 'Type of the step.' })
  type: 'digest';
}

/** Waits. `metadata` says for how long. */
export class DelayTemplateDto {
  @ApiProperty({ enum: ['delay'], description: 'Type of the step.' })
  type: 'delay';
}

/** The template of each type of step. */
export const TEMPLATE_DTOS = {
  in_app: InAppTemplateDto,
  email: EmailTemplateDto,
  sms: SmsTemplateDto,
  chat: ChatTemplateDto,
  push: PushTemplateDto,
  digest: DigestTemplateDto,
  delay: DelayTemplateDto,
} as const;

export type StepTemplateDto = InstanceType<(typeof TEMPLATE_DTOS)[keyof typeof TEMPLATE_DTOS]>;
