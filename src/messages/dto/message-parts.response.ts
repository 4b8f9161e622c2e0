import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ACTION_STATUSES,
  ACTION_TYPES,
  type ActionStatus,
  type ActionType,
  ACTOR_TYPES,
  type ActorType,
} from '../message.enums.js';
import type { MessageActor, MessageCta } from '../message.schema.js';

/** One button of a message. */
export class MessageButtonResponse {
  @ApiProperty({ enum: ACTION_TYPES, example: 'primary' })
  type: ActionType;
  /** @example Accept */
  content: string;
  /**
   * What the button says after it was used.
   * @example Accepted
   */
  resultContent?: string;
  url?: string;
  target?: string;
}

/** What became of the last use of a button. */
export class MessageActionResultResponse {
  @ApiPropertyOptional({ enum: ACTION_TYPES, example: 'primary' })
  type?: ActionType;
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  payload?: Record<string, unknown>;
}

/** The buttons of a message and what became of them. */
export class MessageActionResponse {
  @ApiPropertyOptional({ enum: ACTION_STATUSES, example: 'pending' })
  status?: ActionStatus;
  buttons: MessageButtonResponse[];
  result?: MessageActionResultResponse;
}

/** Where a message leads. */
export class MessageCtaDataResponse {
  /** @example https://example.com/orders/7 */
  url?: string;
  target?: string;
}

/** The call to action of a message. */
export class MessageCtaResponse {
  @ApiPropertyOptional({ enum: ['redirect'], example: 'redirect' })
  type?: 'redirect';
  data?: MessageCtaDataResponse;
  action: MessageActionResponse;

  /** Buttons are always a list, which clients rely on. */
  static from(cta: MessageCta): MessageCtaResponse {
    return Object.assign(new MessageCtaResponse(), {
      ...cta,
      action: { ...cta.action, buttons: cta.action?.buttons ?? [] },
    });
  }
}

/** Where the picture beside a message comes from. */
export class MessageActorResponse {
  @ApiProperty({ enum: ACTOR_TYPES, example: 'system_icon' })
  type: ActorType;
  /**
   * The name of an icon or the address of a picture.
   * @example info
   */
  data?: string;

  static from({ type, data }: MessageActor): MessageActorResponse {
    return Object.assign(new MessageActorResponse(), { type, ...(typeof data === 'string' && { data }) });
  }
}
