export { HealthModule } from './health.module.js';
export { HealthService } from './health.service.js';
