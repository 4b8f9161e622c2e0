import { shown } from '#libs/http-kit';

export interface ProbeResult {
  status: 'up' | 'down';
  message?: string;
}

/** State of the service and of what it depends on. */
export class HealthResponse {
  /**
   * `ok` when everything is up.
   * @example ok
   */
  status: 'ok' | 'error';
  /** What is up, by name. */
  info: Record<string, ProbeResult>;
  /** What is down, by name. */
  error: Record<string, ProbeResult>;
  /** Everything, by name. */
  details: Record<string, ProbeResult>;
}

export function showHealth(details: Record<string, ProbeResult>): HealthResponse {
  const only = (status: ProbeResult['status']): Record<string, ProbeResult> =>
    Object.fromEntries(Object.entries(details).filter(([, probe]) => probe.status === status));
  const error = only('down');
  const status = Object.keys(error).length === 0 ? 'ok' : 'error';
  return shown(HealthResponse, { status, info: only('up'), error, details });
}
