export { ApiKeysService, type KeyOwner } from './api-keys.service.js';
export { AuthModule } from './auth.module.js';
export { ApiKeyResponse, IssuedApiKeyResponse } from './dto/api-key.response.js';
