export {
  BUDGET_DECISIONS,
  DEAD_LETTERS,
  ENGAGEMENTS,
  EVENTS_ACCEPTED,
  HTTP_REQUESTS,
  HTTP_STEP_CALLS,
  MESSAGES_HELD,
  MISSING_TRANSLATIONS,
  NOTIFICATIONS_ENDED,
  PROVIDER_CALLS,
  PROVIDER_OUTAGES,
  SCHEDULE_OCCURRENCES,
  STEP_RETRIES,
  STEPS_ENDED,
  STORE_COMMANDS,
  STORE_FAULTS,
  SUPPRESSED_MESSAGES,
  SUPPRESSION_CHANGES,
  WAITS_ENDED,
  WEBHOOK_CALLS,
} from './metrics/catalogue.js';
export type { Gauge, Reading } from './metrics/instruments.js';
export { hasMetrics, type Metrics, openMetrics } from './metrics/metrics.js';
export { METRICS_PATH, MetricsEndpoint, type MetricsServer, openMetricsServer } from './metrics/metrics-endpoint.js';
export { hasTraces, type OpenTraces, openTraces } from './traces/open-traces.js';
export { inSameTrace, type OpenSpan, spanIdOf, traces } from './traces/traces.js';
