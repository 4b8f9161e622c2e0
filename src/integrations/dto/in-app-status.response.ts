/** Whether in-app messages are delivered. */
export class InAppStatusResponse {
  /**
   * Whether in-app messages are delivered.
   * @example true
   */
  active: boolean;
}
