import { VERSION } from '#libs/config';
import { shown } from '#libs/http-kit';
import type { QueueBacklog } from '../monitoring/index.js';

export interface ProbeResult {
  status: 'up' | 'down';
  message?: string;
}

/** State of the service and its dependencies. */
export class HealthResponse {
  /**
   * `ok` if everything is up.
   * @example ok
   */
  status: 'ok' | 'error';
  /** Components that are up, by name. */
  info: Record<string, ProbeResult>;
  /** Components that are down, by name. */
  error: Record<string, ProbeResult>;
  /** All components, by name. */
  details: Record<string, ProbeResult>;
  /**
   * Version of Herald.
   * @example 0.1.0
   */
  version: string;
}

export function showHealth(details: Record<string, ProbeResult>): HealthResponse {
  const only = (status: ProbeResult['status']): Record<string, ProbeResult> =>
    Object.fromEntries(Object.entries(details).filter(([, probe]) => probe.status === status));
  const error = only('down');
  const status = Object.keys(error).length === 0 ? 'ok' : 'error';
  return shown(HealthResponse, { status, info: only('up'), error, details, version: VERSION });
}

/** Work of one kind that was accepted and is not finished. Each number is counted up to 10,000. */
export class QueueBacklogResponse {
  /**
   * `events` are triggers whose recipients are to be found, `notifications` have a step that is due, `webhooks` are
   * deliveries to webhook endpoints, `schedules` have a next occurrence, and `questions` have to be asked, ended or told.
   */
  queue: 'events' | 'notifications' | 'webhooks' | 'schedules' | 'questions';
  /**
   * Records that are not due yet: delays, digests, and attempts that are repeated later.
   * @example 12
   */
  waiting: number;
  /**
   * Records that are due and that no worker has claimed.
   * @example 0
   */
  due: number;
  /**
   * Records that a worker has claimed.
   * @example 0
   */
  claimed: number;
  /**
   * Records whose worker died or stood still; they are tried in groups, to find what workers die of.
   * @example 0
   */
  suspected: number;
  /**
   * Records that ended as failed because workers died over them, and were not replayed.
   * @example 0
   */
  setAside: number;
  /**
   * How long the oldest record has been due, in seconds, whether or not a worker has claimed it; 0 if none is due.
   * @example 0
   */
  oldestDueSeconds: number;
}

export function showBacklog(backlog: QueueBacklog): QueueBacklogResponse {
  const { queue, waiting, due, claimed, suspected, setAside, oldestDueSeconds } = backlog;
  return shown(QueueBacklogResponse, { queue, waiting, due, claimed, suspected, setAside, oldestDueSeconds });
}
