import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ApiKey, ApiKeyRevocation, ApiKeyRevocationSchema, ApiKeySchema } from './api-key.schema.js';
import { ApiKeyRevocations } from './api-key-revocations.js';
import { ApiKeysService } from './api-keys.service.js';
import { CallerKeysService } from './caller-keys.service.js';
import { CallerRights } from './caller-rights.js';
import { SecretVisibility } from './secret-visibility.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: ApiKey.name, schema: ApiKeySchema },
      { name: ApiKeyRevocation.name, schema: ApiKeyRevocationSchema },
    ]),
  ],
  providers: [ApiKeysService, ApiKeyRevocations, CallerKeysService, CallerRights, SecretVisibility],
  exports: [ApiKeysService, CallerKeysService, CallerRights, SecretVisibility],
})
export class AuthModule {}
