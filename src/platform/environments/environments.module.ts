import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuthModule } from '../../platform/auth/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { Environment, EnvironmentSchema } from './environment.schema.js';
import { EnvironmentsController } from './environments.controller.js';
import { EnvironmentsService } from './environments.service.js';
import { SetupService } from './setup.service.js';

@Module({
  imports: [
    AuthModule,
    OrganizationsModule,
    MongooseModule.forFeature([{ name: Environment.name, schema: EnvironmentSchema }]),
  ],
  controllers: [EnvironmentsController],
  providers: [EnvironmentsService, SetupService],
  exports: [EnvironmentsService, SetupService],
})
export class EnvironmentsModule {}
