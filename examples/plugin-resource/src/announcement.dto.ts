import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { DeletableRecordResponse, IsName } from 'herald/plugin';

const AUDIENCES = ['everyone', 'customers'];

export class CreateAnnouncementDto {
  @IsName()
  @ApiProperty({ description: 'Title, unique in the environment.', example: 'Summer sale' })
  title: string;

  @IsName()
  @ApiProperty({ description: 'The announcement.', example: 'Everything is half the price.' })
  text: string;

  @IsOptional()
  @IsIn(AUDIENCES)
  @ApiPropertyOptional({ description: 'Who it is for.', enum: AUDIENCES, default: 'everyone' })
  audience?: string;
}

export class AnnouncementResponse extends DeletableRecordResponse {
  @ApiProperty({ description: 'Title, unique in the environment.', example: 'Summer sale' })
  title: string;

  @ApiProperty({ description: 'The announcement.', example: 'Everything is half the price.' })
  text: string;

  @ApiProperty({ description: 'Who it is for.', enum: AUDIENCES })
  audience: string;
}
