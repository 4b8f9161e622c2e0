import { DynamicModule, Module } from '@nestjs/common';
import { type AppConfig, ConfigModule } from '#libs/config';
import { EventsBusModule } from '#libs/common';
import { MongoModule, type Store } from '#libs/persistence';
import { SecretsModule } from '#libs/secrets';
import { AuthModule } from '../../../src/auth/index.js';
import { EnvironmentsModule } from '../../../src/environments/index.js';
import { SEALED_FIELDS } from '../../../src/sealed-fields.js';

/** The part of Herald that the key commands need. */
@Module({})
export class AdminModule {
  static forRoot(config: AppConfig, store: Store): DynamicModule {
    return {
      module: AdminModule,
      imports: [
        ConfigModule.forRoot(config),
        MongoModule.forRoot(store),
        SecretsModule.forRoot(SEALED_FIELDS),
        EventsBusModule,
        AuthModule,
        EnvironmentsModule,
      ],
    };
  }
}
