import { Counter, Histogram } from './instruments.js';

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CALL_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const COMMAND_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

export const HTTP_REQUESTS = new Histogram({
  name: 'herald_http_request_duration_seconds',
  help: 'Requests, from their headers to the end of the response. The route is its pattern; the status can be `aborted`.',
  labels: ['method', 'route', 'status'],
  buckets: REQUEST_SECONDS,
});

export const EVENTS_ACCEPTED = new Counter({
  name: 'herald_events_accepted_total',
  help: 'Events that were stored, each of which leads to a notification for each recipient.',
  labels: [],
});

export const NOTIFICATIONS_ENDED = new Counter({
  name: 'herald_notifications_ended_total',
  help: 'Notifications that came to an end, by their final status.',
  labels: ['status'],
});

export const STEPS_ENDED = new Counter({
  name: 'herald_steps_ended_total',
  help: 'Steps of notifications that came to an end, by type and final status.',
  labels: ['type', 'status'],
});

export const STEP_RETRIES = new Counter({
  name: 'herald_step_retries_total',
  help: 'Attempts at steps that failed and are repeated later.',
  labels: ['type'],
});

export const BUDGET_DECISIONS = new Counter({
  name: 'herald_budget_decisions_total',
  help: 'Messages that budgets of subscribers were asked about: `passed`, `critical`, `dropped`, `held`, or `digested` (it went into a digest).',
  labels: ['channel', 'decision'],
});

export const DEAD_LETTERS = new Counter({
  name: 'herald_dead_letters_total',
  help: 'Steps that failed after all attempts and integrations, and can be replayed.',
  labels: ['type'],
});

export const MISSING_TRANSLATIONS = new Counter({
  name: 'herald_missing_translations_total',
  help: 'Keys of messages that had no translation in the locale of the reader.',
  labels: [],
});

export const PROVIDER_CALLS = new Histogram({
  name: 'herald_provider_call_duration_seconds',
  help: 'Calls of providers. The outcome is `accepted` or the code of the error.',
  labels: ['channel', 'provider', 'outcome'],
  buckets: CALL_SECONDS,
});

export const HTTP_STEP_CALLS = new Histogram({
  name: 'herald_http_step_duration_seconds',
  help: 'Requests of `http_request` steps, by the class of the status (`2xx`), or `none` without an answer.',
  labels: ['status'],
  buckets: CALL_SECONDS,
});

export const ENGAGEMENTS = new Counter({
  name: 'herald_engagements_total',
  help: 'Opens and clicks of mails that Herald follows itself: `opened` or `clicked`, by a `person` or a `machine`, as far as one can tell.',
  labels: ['kind', 'by'],
});

export const WAITS_ENDED = new Counter({
  name: 'herald_waits_ended_total',
  help: 'Steps of the type `wait_for_event` that came to their end: `matched` (the event came) or `timed_out`.',
  labels: ['outcome'],
});

export const PROVIDER_OUTAGES = new Counter({
  name: 'herald_provider_outages_total',
  help: 'Times that an integration was found to be down (`opened`) and up again (`closed`).',
  labels: ['channel', 'provider', 'change'],
});

export const MESSAGES_HELD = new Counter({
  name: 'herald_messages_held_total',
  help: 'Times that a message had to come again: `integration_limit` (messagesPerSecond), `provider_wait` (429) or `provider_down`.',
  labels: ['channel', 'provider', 'reason'],
});

export const SUPPRESSION_CHANGES = new Counter({
  name: 'herald_suppression_changes_total',
  help: 'Changes of the suppression list: `added` or `lifted`, by kind: `bounce`, `complaint`, `manual` or `unsubscribe`.',
  labels: ['kind', 'change'],
});

export const SUPPRESSED_MESSAGES = new Counter({
  name: 'herald_suppressed_messages_total',
  help: 'Messages that were not sent because their address is on the suppression list.',
  labels: ['channel'],
});

export const WEBHOOK_CALLS = new Histogram({
  name: 'herald_webhook_call_duration_seconds',
  help: 'Attempts at outbound webhook deliveries: `delivered`, `retry`, `given up` or `gone`.',
  labels: ['outcome'],
  buckets: CALL_SECONDS,
});

export const SCHEDULE_OCCURRENCES = new Counter({
  name: 'herald_schedule_occurrences_total',
  help: 'Occurrences of schedules, by the status of their trigger, or `skipped` where they were missed.',
  labels: ['status'],
});

export const STORE_COMMANDS = new Histogram({
  name: 'herald_store_command_duration_seconds',
  help: 'Commands to the store, from taking a connection to giving it back.',
  labels: [],
  buckets: COMMAND_SECONDS,
});

export const STORE_FAULTS = new Counter({
  name: 'herald_store_faults_total',
  help: 'Faults of the store: `no_connection` (none was free or could be opened), `connections_dropped`, or `damaged_reads`.',
  labels: ['kind'],
});

export const HISTOGRAMS: readonly Histogram[] = [
  HTTP_REQUESTS,
  PROVIDER_CALLS,
  HTTP_STEP_CALLS,
  WEBHOOK_CALLS,
  STORE_COMMANDS,
];
export const COUNTERS: readonly Counter[] = [
  EVENTS_ACCEPTED,
  NOTIFICATIONS_ENDED,
  STEPS_ENDED,
  STEP_RETRIES,
  BUDGET_DECISIONS,
  DEAD_LETTERS,
  SCHEDULE_OCCURRENCES,
  ENGAGEMENTS,
  WAITS_ENDED,
  SUPPRESSION_CHANGES,
  SUPPRESSED_MESSAGES,
  MISSING_TRANSLATIONS,
  STORE_FAULTS,
  MESSAGES_HELD,
  PROVIDER_OUTAGES,
];
