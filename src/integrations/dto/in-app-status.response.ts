/** Whether in-app messages are delivered. */
export class InAppStatusResponse {
  /** @example true */
  active: boolean;
}
