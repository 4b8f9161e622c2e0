import { ApiProperty } from '@nestjs/swagger';
import { DeletableRecordResponse, IsName } from 'herald/plugin';

export class __Name__Dto {
  @IsName()
  @ApiProperty({ description: 'Name, unique in the environment.', example: 'First' })
  name: string;
}

export class __Name__Response extends DeletableRecordResponse {
  @ApiProperty({ description: 'Name, unique in the environment.', example: 'First' })
  name: string;
}
