export { AGENT_DEFAULTS, type AgentLimits } from './agent-limits.js';
export { SEALED_KEY } from './api-key.schema.js';
export { ApiKeysService, type KeyOwner, type RevealedKey } from './api-keys.service.js';
export {
  AgentKeyElsewhere,
  ApiKeyNeeded,
  ApiKeyExpired,
  ApiKeyNotFound,
  KeyExceedsIssuer,
  LastApiKey,
  ScopeMissing,
  Unauthorized,
} from './auth.errors.js';
export { AuthModule } from './auth.module.js';
export { CallerKeysService } from './caller-keys.service.js';
export { CallerRights, giveWhile } from './caller-rights.js';
export { ApiKeyResponse, IssuedApiKeyResponse, KEY_KINDS, type KeyKind } from './api-key.response.js';
export { keyHeadersOf } from './key-header.js';
export { assertScope, excessOf, isExpired, rightsOf } from './key-rights.js';
export { SecretVisibility } from './secret-visibility.js';
