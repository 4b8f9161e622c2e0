import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';

export class ReplayDto {
  /**
   * Whether to also send messages again that the provider may have accepted. The recipient may then receive them twice.
   */
  @IsOptional()
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, nullable: true, default: false, example: false })
  includeUncertain?: boolean | null;
}
