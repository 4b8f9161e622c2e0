import { PartialType } from '@nestjs/swagger';
import { CreateTenantDto } from './create-tenant.dto.js';

/** What is absent stays; `data` is replaced as a whole, and removed by null. */
export class UpdateTenantDto extends PartialType(CreateTenantDto) {}
