import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuthModule } from '../../platform/auth/index.js';
import { EnvironmentsModule } from '../../platform/environments/index.js';
import { IntegrationsModule } from '../../channels/integrations/index.js';
import { AccountController } from './account.controller.js';
import { AccountPasswords } from './account-passwords.js';
import { AccountService } from './account.service.js';
import { Authority } from './authority.js';
import { Browsers } from './browsers.js';
import { InvitationsService } from './invitations.service.js';
import { InviterNames } from './inviter-names.js';
import { JoiningService } from './joining.service.js';
import { LinkGrants } from './link-grants.js';
import { LinkMails } from './link-mails.js';
import { OidcClient } from './oidc-client.js';
import { OidcController } from './oidc.controller.js';
import { OidcPeople } from './oidc-people.js';
import { OidcSignIns } from './oidc-sign-ins.js';
import { OneTimeLinks } from './one-time-links.js';
import { Passwords } from './passwords.js';
import { Recoveries } from './recoveries.js';
import { SecondFactors } from './second-factors.js';
import { SignInLimits } from './sign-in-limits.js';
import { SignInsController } from './sign-ins.controller.js';
import { SignInsService } from './sign-ins.service.js';
import {
  SignInWindow,
  SignInWindowSchema,
  User,
  UserInvitation,
  UserInvitationSchema,
  UserSchema,
  UserSession,
  UserSessionSchema,
} from './user.schema.js';
import { UserSessionsService } from './user-sessions.service.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [
    AuthModule,
    EnvironmentsModule,
    IntegrationsModule,
    MongooseModule.forFeature([
      { name: User.name, schema: UserSchema },
      { name: UserSession.name, schema: UserSessionSchema },
      { name: UserInvitation.name, schema: UserInvitationSchema },
      { name: SignInWindow.name, schema: SignInWindowSchema },
    ]),
  ],
  // Fixed addresses before `:userId`.
  controllers: [SignInsController, OidcController, AccountController, UsersController],
  providers: [
    Passwords,
    SignInLimits,
    UserSessionsService,
    AccountPasswords,
    SecondFactors,
    SignInsService,
    Authority,
    OneTimeLinks,
    LinkGrants,
    Recoveries,
    LinkMails,
    InviterNames,
    InvitationsService,
    JoiningService,
    UsersService,
    AccountService,
    Browsers,
    OidcClient,
    OidcPeople,
    OidcSignIns,
  ],
  exports: [UserSessionsService, InvitationsService],
})
export class UsersModule {}
