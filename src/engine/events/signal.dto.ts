import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { apiOf, IsFreeForm, IsValidBy, OptionalString } from '#libs/http-kit';
import { signalName } from '../delivery/index.js';

export class SignalDto {
  /** Name of the event that steps of the type `wait_for_event` wait for. */
  @IsValidBy('isSignalName', signalName)
  @ApiProperty({ ...apiOf(signalName), example: 'order.paid' })
  name: string;

  /**
   * Transaction id of the event whose notifications are meant. It also counts for waits that begin later.
   * @example order-4711
   */
  @OptionalString()
  transactionId?: string | null;

  /**
   * Only waits of this subscriber.
   * @example ada
   */
  @OptionalString()
  subscriberId?: string | null;

  /**
   * What has happened, at most 10,000 bytes. Waits with `match` compare its values, and the steps after the wait see it in
   * `steps`.
   */
  @IsOptional()
  @IsFreeForm()
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, nullable: true, example: { order: { id: 4711 } } })
  payload?: Record<string, unknown> | null;
}

export class SignalResponse {
  /** Number of waits that the signal has answered now. Those that begin later are not counted. @example 1 */
  woken: number;
}
