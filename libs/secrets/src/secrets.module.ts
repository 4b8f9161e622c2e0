import { Global, Module } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { SecretBox } from './secret-box.js';
import { readOrCreateSecretFile } from './secret-files.js';

/** Provides the {@link SecretBox} of this installation, with STORE_ENCRYPTION_KEY or a key generated into DATA_DIR. */
@Global()
@Module({
  providers: [
    {
      provide: SecretBox,
      inject: [AppConfig],
      useFactory: (config: AppConfig): SecretBox => {
        const current =
          config.get('STORE_ENCRYPTION_KEY') ?? readOrCreateSecretFile(config.get('DATA_DIR'), 'encryption-key').value;
        return new SecretBox([current, ...config.get('STORE_ENCRYPTION_OLD_KEYS')]);
      },
    },
  ],
  exports: [SecretBox],
})
export class SecretsModule {}
