import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsOptional } from 'class-validator';

const WORDS: Readonly<Record<string, boolean>> = { true: true, false: false };

export class DefineQuery {
  /** True: nothing is stored; the answer says what would change, and lists missing references. */
  @ApiPropertyOptional({ type: Boolean, default: false, example: true })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (WORDS[value] ?? value) : value))
  @IsBoolean()
  dryRun?: boolean;
}
