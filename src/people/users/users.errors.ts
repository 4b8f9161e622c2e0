import { defineError } from '#libs/http-kit';

/** One text for all reasons, so that it does not help to find out who exists. */
export const SignInFailed = defineError(
  401,
  'sign_in_failed',
  'The email or the password is wrong. If you forgot it, ask an owner for a link to choose a new one.',
);

export const PasswordsOff = defineError(
  403,
  'passwords_off',
  'This Herald takes no passwords (PASSWORD_SIGN_IN=off). Sign in with the provider at GET /sign-in/oidc; that accepts invitations, too.',
);

export const TooManySignIns = defineError(
  429,
  'too_many_sign_ins',
  (retryAfterSeconds: number) =>
    `There were too many attempts to sign in. Try again in ${retryAfterSeconds} s. Open sessions and API keys still work.`,
  [900],
  (retryAfterSeconds) => ({ retryAfterSeconds }),
);

export const SignInBusy = defineError(
  503,
  'sign_in_busy',
  'Too many people sign in at the moment. Try again in a few seconds.',
  { retryAfterSeconds: 5 },
);

/** Of every route that a session may call. */
export const CsrfTokenInvalid = defineError(
  403,
  'csrf_token_invalid',
  "A change in a session needs the header X-CSRF-Token with the 'csrfToken' that GET /v1/users/session returns.",
);

/** Of every route that a session may call, but those that set it up. */
export const SecondFactorRequired = defineError(
  403,
  'second_factor_required',
  'This Herald demands a second factor (REQUIRE_TOTP). Set up an authenticator app first: open the console, or call POST /v1/users/me/totp and POST /v1/users/me/totp/confirm.',
);

export const TotpRequired = defineError(
  403,
  'totp_required',
  'This Herald demands codes of this account (REQUIRE_TOTP), so they stay on. An owner of all your environments can reset them for another device.',
);

export const EnvironmentClosed = defineError(
  403,
  'environment_closed',
  (id: string) =>
    `You have no role in an environment '${id}'. GET /v1/users/session lists your environments; the header Herald-Environment-Id takes one of their ids.`,
  ['64f0c1a2b3c4d5e6f7a8b9c0'],
);

export const PersonNeeded = defineError(
  403,
  'person_needed',
  'This is about the person who is signed in, and an API key is none. Sign in with POST /v1/users/session.',
);

export const PasswordTooWeak = defineError(
  400,
  'password_too_weak',
  (fault: string) =>
    `The password ${fault}. Take at least 12 characters, such as four words that do not belong together.`,
  ['has fewer than 12 characters'],
);

export const CodeNeeded = defineError(
  401,
  'code_needed',
  "This account also needs a code. Send the six digits of the authenticator app, or a recovery code, as 'code'.",
);

export const CodeWrong = defineError(
  401,
  'code_wrong',
  'The code is wrong, has expired, or was used before. Wait for the next one, and check the clock of your device.',
);

export const TotpAlreadyOn = defineError(
  409,
  'totp_already_on',
  'Codes are needed for this account already. Switch them off first with POST /v1/users/me/totp/disable.',
);

export const TotpNotBegun = defineError(
  409,
  'totp_not_begun',
  'There is no secret to confirm. Make one with POST /v1/users/me/totp.',
);

export const TotpCodeWrong = defineError(
  400,
  'totp_code_wrong',
  'That code is not valid. Enter the six digits that the app shows now, and check the clock of your device.',
);

export const PasswordWrong = defineError(403, 'password_wrong', 'That is not your current password.');

export const InvitationInvalid = defineError(
  404,
  'invitation_invalid',
  'The link is unknown, has expired, was used or withdrawn, or has ended with the rights of whoever made it. Ask for a new one.',
);

export const EmailNeeded = defineError(
  400,
  'email_needed',
  "This invitation names nobody. Send your address as 'email'.",
);

export const EmailTaken = defineError(
  409,
  'email_taken',
  'Somebody with this address is a user already. Sign in, or ask an owner to invite that address.',
);

export const AlreadyMember = defineError(
  409,
  'already_member',
  (email: string) => `'${email}' has a role in this environment already. Change it with PATCH /v1/users/{userId}.`,
  ['ada@example.com'],
);

export const InvitationNotFound = defineError(
  404,
  'invitation_not_found',
  (id: string) => `This environment has no open invitation '${id}'. List them with GET /v1/users/invitations.`,
  ['{invitationId}'],
);

export const UserNotFound = defineError(
  404,
  'user_not_found',
  (id: string) => `Nobody with the id '${id}' has a role in this environment. List them with GET /v1/users.`,
  ['{userId}'],
);

export const OwnRole = defineError(
  409,
  'own_role',
  'You cannot change or remove your own role: you could lock yourself out. Ask another owner.',
);

export const NotYourEnvironment = defineError(
  403,
  'not_your_environment',
  (ids: string) =>
    `That concerns an environment in which you are no owner: ${ids}. An API key concerns its own environment only.`,
  ['64f0c1a2b3c4d5e6f7a8b9c0'],
);

/** API keys only: an owner has every scope, and no end. */
export const RightsExceeded = defineError(
  403,
  'rights_exceeded',
  (excess: string) =>
    `An API key gives nobody more rights than it has, and none for longer: ${excess}. Use a key with every scope of the role and without an end, or sign in as owner.`,
  ['yours lacks the scope write'],
);

export const SessionNotFound = defineError(
  404,
  'session_not_found',
  (id: string) => `You have no session '${id}'. List yours with GET /v1/users/me/sessions.`,
  ['{sessionId}'],
);
