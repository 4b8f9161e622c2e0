import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuthModule } from '../../platform/auth/index.js';
import { ConditionSecret, ConditionSecretSchema } from './condition-secret.schema.js';
import { ConditionSecretsController } from './condition-secrets.controller.js';
import { ConditionSecretsService } from './condition-secrets.service.js';

@Module({
  imports: [AuthModule, MongooseModule.forFeature([{ name: ConditionSecret.name, schema: ConditionSecretSchema }])],
  controllers: [ConditionSecretsController],
  providers: [ConditionSecretsService],
  exports: [ConditionSecretsService],
})
export class ConditionSecretsModule {}
