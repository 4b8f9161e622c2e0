export { type ActiveIntegration, type ChannelStatus, composerOf } from './integration-views.js';
export { type CallbackIntegration, CallbackIntegrations } from './callback-integrations.js';
export type { IntegrationCredentials } from './credentials.js';
export { HOSTED_DEMOS } from './integration-draft.js';
export { IntegrationHealth } from './integration-health.js';
export { IntegrationDown, IntegrationUp } from './integrations.events.js';
export { type Outage, SEALED_CREDENTIALS } from './integration.schema.js';
export {
  CatcherInProduction,
  IntegrationIdentifierTaken,
  IntegrationNotFound,
  TooMuchContention,
} from './integrations.errors.js';
export { type IntegrationResponse } from './integration.response.js';
export { IntegrationsModule } from './integrations.module.js';
export { IntegrationsService } from './integrations.service.js';
export { templateOf } from './credential-templates.js';
