import { ApiProperty } from '@nestjs/swagger';

/** Confirms a deletion. */
export class DeletedNotificationGroupResponse {
  /** Always true. */
  @ApiProperty({ enum: [true] })
  acknowledged: true;

  /** Always `deleted`. */
  @ApiProperty({ enum: ['deleted'] })
  status: 'deleted';
}
