import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { shown } from '#libs/http-kit';
import {
  ACTION_STATUSES,
  ACTION_TYPES,
  type ActionStatus,
  type ActionType,
  ACTOR_TYPES,
  type ActorType,
} from '../records/message.enums.js';
import type { MessageActor, MessageCta } from '../records/message.schema.js';

/** One button of a message. */
export class MessageButtonResponse {
  /** Which of the two buttons. */
  @ApiProperty({ enum: ACTION_TYPES, example: 'primary' })
  type: ActionType;
  /**
   * Text of the button.
   * @example Accept
   */
  content: string;
  /**
   * Text of the button after its use.
   * @example Accepted
   */
  resultContent?: string;
  /** URL that the button links to. */
  url?: string;
  /** Browsing context in which the URL opens. */
  target?: string;
}

/** The last use of a button. */
export class MessageActionResultResponse {
  /** The button. */
  @ApiPropertyOptional({ enum: ACTION_TYPES, example: 'primary' })
  type?: ActionType;
  /** Data that the client sent with the action. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  payload?: Record<string, unknown>;
}

/** The buttons of a message and their last use. */
export class MessageActionResponse {
  /** `done` after a button was used. */
  @ApiPropertyOptional({ enum: ACTION_STATUSES, example: 'pending' })
  status?: ActionStatus;
  /** The buttons; empty if there are none. */
  buttons: MessageButtonResponse[];
  result?: MessageActionResultResponse;
}

/** Link of a message. */
export class MessageCtaDataResponse {
  /**
   * URL that the message links to.
   * @example https://example.com/orders/7
   */
  url?: string;
  /** Browsing context in which the URL opens. */
  target?: string;
}

/** The call to action of a message; without link and buttons, it has an empty list of buttons. */
export class MessageCtaResponse {
  /** Always `redirect`. */
  @ApiPropertyOptional({ enum: ['redirect'], example: 'redirect' })
  type?: 'redirect';
  data?: MessageCtaDataResponse;
  action: MessageActionResponse;
}

/** `action.buttons` is always a list, because clients rely on it. */
export function showMessageCta(cta: MessageCta = {}): MessageCtaResponse {
  return shown(MessageCtaResponse, {
    type: cta.type,
    data: cta.data,
    action: shown(MessageActionResponse, {
      status: cta.action?.status,
      buttons: cta.action?.buttons ?? [],
      result: cta.action?.result,
    }),
  });
}

/** Source of the picture next to a message. */
export class MessageActorResponse {
  /** Picture shown next to the message: none, the actor's, an icon or a custom image. */
  @ApiProperty({ enum: ACTOR_TYPES, example: 'system_icon' })
  type: ActorType;
  /**
   * Name of an icon, or URL of an image.
   * @example info
   */
  data?: string;
}

export function showMessageActor({ type, data }: MessageActor): MessageActorResponse {
  return shown(MessageActorResponse, { type, ...(typeof data === 'string' && { data }) });
}
