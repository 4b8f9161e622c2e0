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

/** Work of one kind that is due and that no worker has claimed. */
export class QueueBacklogResponse {
  /**
   * `events` are triggers whose recipients are to be found, `notifications` have a step that is due, and `webhooks` are
   * deliveries to webhook endpoints.
   */
  queue: 'events' | 'notifications' | 'webhooks';
  /**
   * Number of records, counted up to 10,000.
   * @example 0
   */
  due: number;
  /**
   * How long the oldest one has been due, in seconds; 0 if none is.
   * @example 0
   */
  oldestDueSeconds: number;
}

export function showBacklog({ queue, due, oldestDueSeconds }: QueueBacklog): QueueBacklogResponse {
  return shown(QueueBacklogResponse, { queue, due, oldestDueSeconds });
}
