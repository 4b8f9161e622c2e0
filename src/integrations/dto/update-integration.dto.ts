import { OmitType, PartialType } from '@nestjs/swagger';
import { CreateIntegrationDto } from './create-integration.dto.js';

/** What is absent stays; `credentials` and `conditions` are replaced whole, and emptied by null. */
export class UpdateIntegrationDto extends PartialType(
  OmitType(CreateIntegrationDto, ['providerId', 'channel'] as const),
) {}
