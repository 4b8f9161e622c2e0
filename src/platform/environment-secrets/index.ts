export { SEALED_ENVIRONMENT_SECRET } from './environment-secret.schema.js';
export { SecretRefused } from './environment-secrets.errors.js';
export { EnvironmentSecretsModule } from './environment-secrets.module.js';
export { EnvironmentSecretsService } from './environment-secrets.service.js';
