export { SEALED_CONDITION_SECRET, SEALED_FORMER_CONDITION_SECRET } from './condition-secret.schema.js';
export { ConditionSecretsModule } from './condition-secrets.module.js';
export { ConditionSecretsService } from './condition-secrets.service.js';
