import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsMongoId, IsOptional } from 'class-validator';
import { OBJECT_ID_PATTERN } from '#libs/common';
import { apiListOf, AsSent, IsValidBy, NAME_LENGTH } from '#libs/http-kit';
import { described, list, named, object, text } from '#libs/validation';
import type { z } from 'zod';

const MAX_RESOURCES = 1_000;

const resource = named(
  'ResourceToPublishDto',
  object({
    resourceType: described(text(NAME_LENGTH), {
      description: 'Kind of the record: `workflow` or `layout`.',
      example: 'workflow',
    }),
    resourceId: described(text(NAME_LENGTH), { description: 'Identifier of the record.', example: 'order-shipped' }),
  }),
  'A record to publish.',
);
export type ResourceToPublish = z.infer<typeof resource>;

const resources = list(resource, {
  max: MAX_RESOURCES,
  error: 'must be an array of resources',
  wrongLength: `must contain at most ${MAX_RESOURCES} resources`,
});

export class DiffEnvironmentDto {
  /**
   * Id of the environment to take from, in which you have a role. Default: that of the request.
   * @example 64f0c1a2b3c4d5e6f7a8b9c0
   */
  @IsOptional()
  @IsMongoId()
  @ApiPropertyOptional({ type: String, pattern: OBJECT_ID_PATTERN.source, nullable: true })
  sourceEnvironmentId?: string | null;
}

export class PublishEnvironmentDto extends DiffEnvironmentDto {
  /** Whether to only say what would be published. */
  @IsOptional()
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, nullable: true, default: false, example: true })
  dryRun?: boolean | null;

  /** What to publish. Default: everything that differs. */
  @IsOptional()
  @AsSent()
  @IsValidBy('areResources', resources)
  @ApiPropertyOptional({ ...apiListOf(resource), nullable: true, maxItems: MAX_RESOURCES })
  resources?: ResourceToPublish[] | null;
}
