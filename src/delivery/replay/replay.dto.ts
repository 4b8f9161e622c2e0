import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';

export class ReplayDto {
  /** Send again, too, what the provider may have taken already. The recipient may then get it twice. */
  @IsOptional()
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, nullable: true, default: false, example: false })
  includeUncertain?: boolean | null;
}
