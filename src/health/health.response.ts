import { shown } from '#libs/http-kit';

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
}

export function showHealth(details: Record<string, ProbeResult>): HealthResponse {
  const only = (status: ProbeResult['status']): Record<string, ProbeResult> =>
    Object.fromEntries(Object.entries(details).filter(([, probe]) => probe.status === status));
  const error = only('down');
  const status = Object.keys(error).length === 0 ? 'ok' : 'error';
  return shown(HealthResponse, { status, info: only('up'), error, details });
}
