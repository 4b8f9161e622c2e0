export { SecretBox, SecretUnreadableError } from './secret-box.js';
export {
  forgetSecretFile,
  newSecret,
  readOrCreateSecretFile,
  readSecretFile,
  replaceSecretFile,
} from './secret-files.js';
export { SecretsModule } from './secrets.module.js';
