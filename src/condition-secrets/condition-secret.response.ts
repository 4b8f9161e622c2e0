/** Secret that requests to the webhooks of conditions are signed with. */
export class ConditionSecretResponse {
  /**
   * Key of the signatures, to verify them with; masked where the operator hides stored secrets.
   * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
   */
  secret: string;
  /** Until when requests are also signed with the former secret. */
  formerSecretUntil?: Date;
}
