export { MonitoringModule } from './monitoring.module.js';
export { serveMetrics } from './serve-metrics.js';
export { type QueueBacklog, WorkBacklogs } from './work-backlogs.js';
