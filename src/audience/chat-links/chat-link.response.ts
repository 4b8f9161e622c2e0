export class ChatLinkResponse {
  /**
   * Whoever opens it, and starts the bot, is reached instead of the subscriber's earlier chat. Show it to the subscriber only.
   * @example https://t.me/shop_bot?start=ZPDBorPE1ea3uMnQaTrCvGX5Kp8nQw3x1yLm0d4V7aE
   */
  url: string;

  /**
   * The link connects nobody after this time.
   * @example 2026-01-01T13:00:00.000Z
   */
  expiresAt: string;
}
