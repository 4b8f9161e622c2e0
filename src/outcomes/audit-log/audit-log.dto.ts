import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { AsNumber, OptionalMoment, OptionalString } from '#libs/http-kit';

/** Filters are combined with AND. */
export class AuditLogFilter {
  /** Only what this user or API key did, by id. */
  @OptionalString()
  actorId?: string;

  /** Only of resources of this kind, such as `workflow`. */
  @OptionalString()
  resourceType?: string;

  /** Only of this resource, by the id that entries show. Of subscribers, with `resourceType=subscriber`, also your identifier. */
  @OptionalString()
  resourceId?: string;

  /** Only this operation, such as `updateWorkflow`. */
  @OptionalString()
  action?: string;

  /** Only entries of this time or later. */
  @OptionalMoment()
  from?: string;

  /** Only entries before this time. */
  @OptionalMoment()
  to?: string;
}

export class ListAuditLogQuery extends AuditLogFilter {
  /** The `next` of the page before. */
  @OptionalString()
  cursor?: string;

  /** Number of entries. */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(1)
  @Max(200)
  limit: number = 50;
}
