/** What was taken of a callback. */
export class CallbackReceiptResponse {
  /**
   * Events that were understood.
   * @example 2
   */
  received: number;
  /**
   * Those of them that are about messages of the integration.
   * @example 2
   */
  matched: number;
}
