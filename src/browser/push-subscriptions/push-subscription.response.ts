/** The key with which a browser subscribes. */
export class PushKeyResponse {
  /**
   * VAPID public key: the `applicationServerKey` of `pushManager.subscribe()`.
   * @example BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4
   */
  publicKey: string;
}

export class PushSubscriptionResponse {
  /**
   * URL of the push service for this browser.
   * @example https://updates.push.example.com/wpush/v2/gAAAAABl
   */
  endpoint: string;
}

export class DeviceTokenResponse {
  /**
   * Provider through which the device gets push messages.
   * @example expo
   */
  providerId: string;
}
