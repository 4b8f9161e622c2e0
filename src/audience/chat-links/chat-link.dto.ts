import { IsIn } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { PROVIDER_CATALOGUE } from '#libs/channels';
import { OptionalString } from '#libs/http-kit';

const PROVIDER_IDS = PROVIDER_CATALOGUE.filter(({ supports }) => supports.links === true).map(({ id }) => id);

export class CreateChatLinkDto {
  /**
   * Provider of an active integration.
   * @example telegram
   */
  @IsIn(PROVIDER_IDS, { message: `$property must be one of the following values: ${PROVIDER_IDS.join(', ')}` })
  @ApiProperty({ enum: PROVIDER_IDS })
  providerId: string;

  /** Identifier of one integration of the provider. Default: the newest active one. */
  @OptionalString()
  integrationIdentifier?: string | null;
}
