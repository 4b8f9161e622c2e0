/** A replay was asked for; what becomes of it shows GET /v1/notifications/{id}. */
export class ReplayResponse {
  /** Always true. */
  acknowledged: true;
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  notificationId: string;

  static of(notificationId: string): ReplayResponse {
    return Object.assign(new ReplayResponse(), { acknowledged: true as const, notificationId });
  }
}
