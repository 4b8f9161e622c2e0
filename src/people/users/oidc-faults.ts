/** Why a sign-in with the provider failed. The console has words for each. */
export const OIDC_FAULTS = [
  'off',
  'unavailable',
  'misconfigured',
  'denied',
  'refused',
  'expired',
  'unverified',
  'clock',
  'email_missing',
  'email_unverified',
  'wrong_domain',
  'not_invited',
  'no_role',
  'taken',
  'too_many',
  'changed',
] as const;
export type OidcFaultName = (typeof OIDC_FAULTS)[number];

/** Those that an operator has to look at. */
const OF_THE_OPERATOR: ReadonlySet<OidcFaultName> = new Set([
  'unavailable',
  'misconfigured',
  'refused',
  'unverified',
  'clock',
]);

export class OidcFault extends Error {
  constructor(
    readonly fault: OidcFaultName,
    /** For the log. */
    reason = '',
  ) {
    super(reason === '' ? fault : reason);
  }

  get isOfTheOperator(): boolean {
    return OF_THE_OPERATOR.has(this.fault);
  }
}
