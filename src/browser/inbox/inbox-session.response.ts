import { shown } from '#libs/http-kit';
import type { UnreadCounts } from '../../engine/messages/inbox/index.js';

/** Unread messages by severity. */
export class UnreadBySeverityResponse {
  /**
   * Of high severity.
   * @example 1
   */
  high: number;
  /**
   * Of medium severity.
   * @example 0
   */
  medium: number;
  /**
   * Of low severity.
   * @example 0
   */
  low: number;
  /**
   * Without a severity.
   * @example 2
   */
  none: number;
}

/** Messages that are neither read nor archived nor snoozed, at most 99 of each. */
export class UnreadCountResponse {
  /**
   * Of all severities.
   * @example 3
   */
  total: number;
  severity: UnreadBySeverityResponse;
}

export class InboxSessionResponse {
  /** Session token. Send it as `Authorization: Bearer <token>`; there is no way to renew it but a new session. */
  token: string;
  unreadCount: UnreadCountResponse;
  /** Equal to `unreadCount.total`. */
  totalUnreadCount: number;
  /** Always true. */
  removeNovuBranding: boolean;
  /** Always false: clients mark development environments with a stripe. */
  isDevelopmentMode: boolean;
  /** Hours for which a message can be snoozed; 0 if it cannot. */
  maxSnoozeDurationHours: number;
}

export function showInboxSession(
  token: string,
  { total, severity }: UnreadCounts,
  maxSnoozeDurationHours: number,
): InboxSessionResponse {
  const unreadCount = shown(UnreadCountResponse, { total, severity: shown(UnreadBySeverityResponse, severity) });
  return shown(InboxSessionResponse, {
    token,
    unreadCount,
    totalUnreadCount: total,
    removeNovuBranding: true,
    isDevelopmentMode: false,
    maxSnoozeDurationHours,
  });
}
