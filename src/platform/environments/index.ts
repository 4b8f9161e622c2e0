export { EnvironmentNotFound, EnvironmentReadOnly } from './environments.errors.js';
export type { EnvironmentResponse } from './environment.response.js';
export { EnvironmentsModule } from './environments.module.js';
export {
  DEVELOPMENT,
  EnvironmentReady,
  type EnvironmentSessions,
  EnvironmentsService,
  PRODUCTION,
} from './environments.service.js';
export { type KeyNotice, SetupService } from './setup.service.js';
