export { SecretBox, SecretUnreadableError } from './secret-box.js';
export { newSecret, readOrCreateSecretFile, readSecretFile } from './secret-files.js';
export { SecretsModule } from './secrets.module.js';
