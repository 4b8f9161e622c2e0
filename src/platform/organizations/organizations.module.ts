import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { BrandingsService } from './brandings.service.js';
import {
  EnvironmentBranding,
  EnvironmentBrandingSchema,
  Organization,
  OrganizationSchema,
} from './organization.schema.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsService } from './organizations.service.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: Organization.name, schema: OrganizationSchema },
      { name: EnvironmentBranding.name, schema: EnvironmentBrandingSchema },
    ]),
  ],
  controllers: [OrganizationsController],
  providers: [OrganizationsService, BrandingsService],
  exports: [OrganizationsService, BrandingsService],
})
export class OrganizationsModule {}
