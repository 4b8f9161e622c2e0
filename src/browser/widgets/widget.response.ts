/** Response to a report of use. */
export class UsageLoggedResponse {
  /**
   * Always true.
   * @example true
   */
  success: boolean;
}
