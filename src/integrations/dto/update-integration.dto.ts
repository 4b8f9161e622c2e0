import { OmitType, PartialType } from '@nestjs/swagger';
import { ReadBack } from '#libs/http-kit';
import { CreateIntegrationDto } from './create-integration.dto.js';

/** What is absent stays; `credentials` and `conditions` are replaced whole, and emptied by null. */
@ReadBack('providerId', 'channel', 'primary', 'priority')
export class UpdateIntegrationDto extends PartialType(
  OmitType(CreateIntegrationDto, ['providerId', 'channel'] as const),
) {}
