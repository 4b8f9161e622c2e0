import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsMongoId, IsOptional, IsString, MaxLength } from 'class-validator';
import { IsName, OptionalString } from '#libs/http-kit';

const MAX_LEFT_OUT = 1_000;
const MAX_TITLE_LENGTH = 600;

export class PreviewPromotionDto {
  /** Id of the environment to promote from, in which you have a role. @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  @IsMongoId()
  sourceEnvironmentId: string;

  /**
   * Trigger identifier of the one workflow to promote, with the notification group, feeds and layouts that it names.
   * Default: everything.
   * @example order-shipped
   */
  @OptionalString()
  workflow?: string | null;

  /** Whether to delete what the source does not have. Not possible with `workflow`. */
  @IsOptional()
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, nullable: true, default: false, example: false })
  prune?: boolean | null;

  /** Records that stay as they are in your environment, as `key` of the preview names them. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_LEFT_OUT)
  @IsString({ each: true })
  @MaxLength(MAX_TITLE_LENGTH, { each: true })
  @ApiPropertyOptional({ type: [String], nullable: true, example: ['workflow-override/order-shipped for acme'] })
  leaveOut?: string[] | null;
}

export class PromoteDto extends PreviewPromotionDto {
  /** The `digest` of the preview that was looked at. @example 4kZq0nVJxk2dS7rTgYw1uPqLbEoHfMcAi9XzN3vRe8s */
  @IsName()
  digest: string;
}
