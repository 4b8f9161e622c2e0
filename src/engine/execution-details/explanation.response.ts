/** Why a step did not send, in words for people, and what can be done. */
export class ExplanationResponse {
  /**
   * What stopped the step.
   * @example The provider rejected the credentials
   */
  title: string;
  /**
   * The words of the error, for example those of the provider.
   * @example Provider 'twilio' did not accept the request (HTTP 401): Authenticate
   */
  text?: string;
  /**
   * What to do about it.
   * @example Update the integration's credentials, then replay the notification.
   */
  remedy: string;
}
