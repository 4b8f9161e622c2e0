/** Why a sign-in with the provider failed, by what the API puts after `#sign-in=`. */
const WORDS: Readonly<Record<string, (provider: string) => string>> = {
  off: () => 'This Herald has no single sign-on. Set OIDC_ISSUER, or sign in another way.',
  unavailable: (it) => `${it} could not be reached. Try again; if it stays so, the log of Herald says why.`,
  misconfigured: (it) =>
    `${it} did not accept Herald. An operator has to check OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET; the log says more.`,
  denied: (it) => `You or ${it} refused the sign-in.`,
  refused: (it) => `${it} refused the sign-in. The log of Herald says why.`,
  expired: () =>
    'This sign-in took too long, was used before, or is not the last one that this browser began. Sign in again.',
  unverified: (it) => `The answer of ${it} is not valid, so nobody was signed in. The log of Herald says why.`,
  clock: (it) => `The clocks of Herald and ${it} differ by more than a minute. An operator has to set them.`,
  email_missing: (it) => `${it} did not say your email address. An operator has to let it send the claim “email”.`,
  email_unverified: (it) => `${it} has not verified your email address. Verify it there, then sign in again.`,
  wrong_domain: () => 'Addresses of your domain may not sign in here.',
  not_invited: (it) =>
    `${it} knows you, but nobody has invited your address to Herald. Ask an owner for an invitation.`,
  no_role: (it) => `${it} gives you no role in Herald. Ask those who manage your groups.`,
  taken: () =>
    'An account with your address belongs to another person of the provider. Ask an owner to remove it first.',
  too_many: () => 'There were too many attempts to sign in. Try again in 15 minutes.',
  changed: () => 'Your account was changed in the same moment. Sign in again.',
};

export function wordsOfFault(fault: string, provider = 'The provider'): string {
  return (
    (Object.hasOwn(WORDS, fault) ? WORDS[fault] : undefined)?.(provider) ?? 'You could not be signed in. Try again.'
  );
}
