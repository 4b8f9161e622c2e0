import { ApiProperty } from '@nestjs/swagger';

/** Confirms a deletion. */
export class DeletedNotificationGroupResponse {
  @ApiProperty({ enum: [true] })
  acknowledged: true;

  @ApiProperty({ enum: ['deleted'] })
  status: 'deleted';
}
