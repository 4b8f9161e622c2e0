import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { IsName, OptionalString } from '#libs/http-kit';

const DESCRIPTION_LENGTH = 1000;
const MAX_ORDER = 1_000_000;

export class CreateNotificationGroupDto {
  /**
   * Name of the group. Several groups may have the same name.
   * @example Billing
   */
  @IsName()
  name: string;

  /**
   * What recipients read below the name where they choose what reaches them.
   * @example Invoices, payments and changes of your plan
   */
  @OptionalString(DESCRIPTION_LENGTH)
  description?: string | null;

  /**
   * Place among the groups that recipients see: the smallest comes first, those without one come last, by name. Recipients see
   * the groups that have an order or a description.
   * @example 1
   */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_ORDER)
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_ORDER, nullable: true })
  order?: number | null;
}

/** Absent fields other than the name are unchanged; null removes them. */
export class UpdateNotificationGroupDto extends CreateNotificationGroupDto {}
