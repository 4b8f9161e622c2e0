import { shown } from '#libs/http-kit';

/** A replay was asked for; what becomes of it shows GET /v1/notifications/{id}. */
export class ReplayResponse {
  /** Always true. */
  acknowledged: true;
  /**
   * Id of the notification.
   * @example 64f0c1a2b3c4d5e6f7a8b9c0
   */
  notificationId: string;
}

export function showReplay(notificationId: string): ReplayResponse {
  return shown(ReplayResponse, { acknowledged: true, notificationId });
}
