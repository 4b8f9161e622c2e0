import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { MongooseModule } from '@nestjs/mongoose';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKey, ApiKeyRevocation, ApiKeyRevocationSchema, ApiKeySchema } from './api-key.schema.js';
import { ApiKeyRevocations } from './api-key-revocations.js';
import { ApiKeysService } from './api-keys.service.js';
import { CallerKeysService } from './caller-keys.service.js';
import { ScopeGuard } from './scope.guard.js';
import { SecretVisibility } from './secret-visibility.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: ApiKey.name, schema: ApiKeySchema },
      { name: ApiKeyRevocation.name, schema: ApiKeyRevocationSchema },
    ]),
  ],
  providers: [
    ApiKeysService,
    ApiKeyRevocations,
    CallerKeysService,
    SecretVisibility,
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    // after the guard that identifies the caller
    { provide: APP_GUARD, useClass: ScopeGuard },
  ],
  exports: [ApiKeysService, CallerKeysService, SecretVisibility],
})
export class AuthModule {}
