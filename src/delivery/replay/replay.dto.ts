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

/** A replay was asked for; what becomes of it shows GET /v1/notifications/{id}. */
export class ReplayResponse {
  /** Always true. */
  acknowledged: true;
  /**
   * Id of the notification.
   * @example 64f0c1a2b3c4d5e6f7a8b9c0
   */
  notificationId: string;
}

export function showReplay(notificationId: string): ReplayResponse {
  return shown(ReplayResponse, { acknowledged: true, notificationId });
}
