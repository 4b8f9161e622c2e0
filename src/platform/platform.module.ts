import { Module } from '@nestjs/common';
import { AuthModule } from './auth/index.js';
import { ConditionSecretsModule } from './condition-secrets/index.js';
import { EnvironmentSecretsModule } from './environment-secrets/index.js';
import { EnvironmentsModule } from './environments/index.js';
import { OrganizationsModule } from './organizations/index.js';
import { RecipientLinksModule } from './recipient-links/index.js';
import { RenderingModule } from './rendering/index.js';

@Module({
  imports: [
    AuthModule,
    OrganizationsModule,
    EnvironmentsModule,
    ConditionSecretsModule,
    EnvironmentSecretsModule,
    RenderingModule,
    RecipientLinksModule,
  ],
})
export class PlatformModule {}
