export { InvitationsService, linkOf } from './invitations.service.js';
export { newLink } from './one-time-links.js';
export type { Role } from './roles.js';
export { CsrfTokenInvalid, EnvironmentClosed, SecondFactorRequired } from './users.errors.js';
export { SEALED_TOTP } from './user.schema.js';
export { UsersModule } from './users.module.js';
export { UserSessionsService } from './user-sessions.service.js';
