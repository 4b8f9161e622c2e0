import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, IsMongoId, IsOptional, Max, Min } from 'class-validator';
import { PageQuery } from './page.js';

const toList = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? [value] : value);
const toBoolean = ({ value }: { value: unknown }): unknown =>
  value === 'true' ? true : value === 'false' ? false : value;

export class FeedQuery extends PageQuery {
  @IsOptional()
  @Transform(toBoolean)
  @IsBoolean()
  seen?: boolean;

  @IsOptional()
  @Transform(toBoolean)
  @IsBoolean()
  read?: boolean;
}

export class UnseenQuery {
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(1000)
  limit: number = 100;
}

export class MarkMessagesDto {
  @Transform(toList)
  @IsArray()
  @ArrayMaxSize(1000)
  @IsMongoId({ each: true })
  messageId: string[];

  @IsIn(['read', 'unread'])
  markAs: 'read' | 'unread';
}
