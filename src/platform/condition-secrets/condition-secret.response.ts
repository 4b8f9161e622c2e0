/** Signing secret of condition webhooks. */
export class ConditionSecretResponse {
  /**
   * Secret to verify the signatures with; masked if the operator hides stored secrets.
   * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
   */
  secret: string;
  /** Time until which requests are also signed with the former secret. */
  formerSecretUntil?: Date;
}
