import { Transform } from 'class-transformer';
import { IsDate, IsOptional, MinDate } from 'class-validator';
import { IsName } from '#libs/http-kit';

export class IssueApiKeyDto {
  /** What the key is for. @example ci */
  @IsName()
  name: string;

  /** The key stops working then. Absent: never. @example 2099-01-01T00:00:00.000Z */
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? new Date(value) : value))
  @IsDate()
  @MinDate(() => new Date())
  expiresAt?: Date;
}
