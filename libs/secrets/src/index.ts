export { FOREIGN_SECRET, FOREIGN_SECRET_FAULT, foreignSecretFaults, foreignSecretsIn } from './foreign-secret.js';
export { SealedField, type SealedPlace } from './sealed-field.js';
export { SecretBox, SecretUnreadableError } from './secret-box.js';
export {
  forgetSecretFile,
  newSecret,
  readOrCreateSecretFile,
  readSecretFile,
  replaceSecretFile,
} from './secret-files.js';
export { type FieldCount, reseal, type ResealCount } from './reseal.js';
export { SecretsModule } from './secrets.module.js';
export { newSigningSecret, type Signed, signedHeaders } from './signature.js';
export { StoreKey, StoreKeyError } from './store-key.js';
