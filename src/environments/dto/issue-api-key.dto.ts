import { Type } from 'class-transformer';
import { IsDate, IsOptional, MinDate } from 'class-validator';
import { IsName } from '#libs/http-kit';

export class IssueApiKeyDto {
  /** What the key is for. @example ci */
  @IsName()
  name: string;

  /** The key stops working then. Absent: never. @example 2099-01-01T00:00:00.000Z */
  @IsOptional()
  @Type(() => Date)
  @IsDate()
  @MinDate(() => new Date())
  expiresAt?: Date;
}
