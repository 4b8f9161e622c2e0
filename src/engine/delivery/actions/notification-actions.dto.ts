import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { shown } from '#libs/http-kit';

export class ReplayDto {
  /**
   * Whether to also send messages again that the provider may have accepted. The recipient may then receive them twice.
   */
  @IsOptional()
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, nullable: true, default: false, example: false })
  includeUncertain?: boolean | null;
}

/** The request is accepted. GET /v1/notifications/{id} shows what becomes of it. */
export class AcceptedActionResponse {
  /** Always true. */
  acknowledged: true;
  /**
   * Id of the notification.
   * @example 64f0c1a2b3c4d5e6f7a8b9c0
   */
  notificationId: string;
}

export function showAccepted(notificationId: string): AcceptedActionResponse {
  return shown(AcceptedActionResponse, { acknowledged: true, notificationId });
}
