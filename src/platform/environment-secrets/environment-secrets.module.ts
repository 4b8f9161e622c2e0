import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { EnvironmentSecret, EnvironmentSecretSchema } from './environment-secret.schema.js';
import { EnvironmentSecretsController } from './environment-secrets.controller.js';
import { EnvironmentSecretsService } from './environment-secrets.service.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: EnvironmentSecret.name, schema: EnvironmentSecretSchema }])],
  controllers: [EnvironmentSecretsController],
  providers: [EnvironmentSecretsService],
  exports: [EnvironmentSecretsService],
})
export class EnvironmentSecretsModule {}
