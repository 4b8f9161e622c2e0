export { EnvironmentReady } from './environments.events.js';
export { EnvironmentsModule } from './environments.module.js';
export { DEVELOPMENT, EnvironmentsService, PRODUCTION } from './environments.service.js';
export { type KeyNotice, SetupService } from './setup.service.js';
