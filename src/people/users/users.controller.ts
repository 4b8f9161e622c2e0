import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiDataArray,
  ApiErrors,
  Audited,
  type HttpRequest,
  IdParam,
  lookAt,
  NeedsScope,
  Tenant,
} from '#libs/http-kit';
import type { Caller } from '#libs/common';
import { EnvironmentNotFound } from '../../platform/environments/index.js';
import { Browsers } from './browsers.js';
import { InvitationsService } from './invitations.service.js';
import { ChangeRoleDto, InviteDto } from './users.dto.js';
import {
  AlreadyMember,
  InvitationNotFound,
  NotYourEnvironment,
  OwnRole,
  RightsExceeded,
  UserNotFound,
} from './users.errors.js';
import {
  CreatedInvitationResponse,
  InvitationResponse,
  LinkResponse,
  UserResponse,
  UserSessionResponse,
} from './users.response.js';
import { UsersService } from './users.service.js';

@ApiTags('Users')
@Controller({ path: 'users', version: '1' })
@NeedsScope('admin')
@Audited('user', { look: lookAt(UsersService, (users, caller) => users.list(caller)) })
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly invitations: InvitationsService,
    private readonly browsers: Browsers,
  ) {}

  /** Lists the people who have a role in your environment, oldest first. */
  @Get()
  @ApiDataArray(200, UserResponse)
  listUsers(@Tenant() caller: Caller): Promise<UserResponse[]> {
    return this.users.list(caller);
  }

  /** Lists the invitations to your environment that nobody has accepted yet, newest first. */
  @Get('invitations')
  @ApiDataArray(200, InvitationResponse)
  listInvitations(@Tenant() caller: Caller): Promise<InvitationResponse[]> {
    return this.invitations.list(caller);
  }

  /**
   * Invites a person.
   * @remarks Returns a link, which works once and within a week, as long as whoever made it could still make it. `mail` says whether
   * it was also sent to the person. An API key invites to its own environment, with roles of which it has every scope, and
   * without an end of its own; an owner to all environments that they own.
   */
  @Post('invitations')
  @Audited('invitation', { look: lookAt(InvitationsService, (invitations, caller) => invitations.list(caller)) })
  @ApiData(201, CreatedInvitationResponse)
  @ApiErrors(AlreadyMember, NotYourEnvironment, RightsExceeded, EnvironmentNotFound)
  inviteUser(
    @Tenant() caller: Caller,
    @Body() dto: InviteDto,
    @Req() request: HttpRequest,
  ): Promise<CreatedInvitationResponse> {
    return this.invitations.invite(caller, dto, this.browsers.baseOf(request));
  }

  /** Withdraws an invitation: its link no longer works. */
  @Delete('invitations/:invitationId')
  @Audited('invitation', { look: lookAt(InvitationsService, (invitations, caller) => invitations.list(caller)) })
  @HttpCode(204)
  @ApiErrors(InvitationNotFound, NotYourEnvironment)
  withdrawInvitation(@Tenant() caller: Caller, @IdParam('invitationId') id: string): Promise<void> {
    return this.invitations.withdraw(caller, id);
  }

  /**
   * Changes the role of a person in your environment.
   * @remarks An API key gives roles of which it has every scope, and only without an end of its own; it can always give less than there was.
   */
  @Patch(':userId')
  @ApiData(200, UserResponse)
  @ApiErrors(UserNotFound, OwnRole, NotYourEnvironment, RightsExceeded)
  changeUserRole(
    @Tenant() caller: Caller,
    @IdParam('userId') id: string,
    @Body() { role }: ChangeRoleDto,
  ): Promise<UserResponse> {
    return this.users.changeRole(caller, id, role);
  }

  /**
   * Removes a person from your environment.
   * @remarks Of whoever has no role in any environment any more, nothing is kept, and their sessions end. So do the invitations
   * that the person has made.
   */
  @Delete(':userId')
  @HttpCode(204)
  @ApiErrors(UserNotFound, OwnRole)
  removeUser(@Tenant() caller: Caller, @IdParam('userId') id: string): Promise<void> {
    return this.users.remove(caller, id);
  }

  /**
   * Makes a link with which a person chooses a new password.
   * @remarks Works once and within a day, and ends all sessions of the person. Only for people of whose environments you
   * own every one; an API key needs every scope of their roles, and no end. The link ends earlier when the person gets a role in
   * another environment or changes how they sign in, or when you lose the right to make it.
   */
  @Post(':userId/recovery')
  @ApiData(201, LinkResponse)
  @ApiErrors(UserNotFound, NotYourEnvironment, RightsExceeded)
  recoverUser(
    @Tenant() caller: Caller,
    @IdParam('userId') id: string,
    @Req() request: HttpRequest,
  ): Promise<LinkResponse> {
    return this.users.recover(caller, id, this.browsers.baseOf(request));
  }

  /**
   * Switches codes off for a person who has lost the authenticator app.
   * @remarks Ends their sessions. Only for those who could make a link for a new password of the person.
   */
  @Delete(':userId/totp')
  @HttpCode(204)
  @ApiErrors(UserNotFound, NotYourEnvironment, RightsExceeded)
  resetUserTotp(@Tenant() caller: Caller, @IdParam('userId') id: string): Promise<void> {
    return this.users.resetTotp(caller, id);
  }

  /** Lists the sessions of a person, newest first. */
  @Get(':userId/sessions')
  @ApiDataArray(200, UserSessionResponse)
  @ApiErrors(UserNotFound, NotYourEnvironment)
  listUserSessions(@Tenant() caller: Caller, @IdParam('userId') id: string): Promise<UserSessionResponse[]> {
    return this.users.listSessions(caller, id);
  }

  /** Ends all sessions of a person. */
  @Delete(':userId/sessions')
  @HttpCode(204)
  @ApiErrors(UserNotFound, NotYourEnvironment)
  endUserSessions(@Tenant() caller: Caller, @IdParam('userId') id: string): Promise<void> {
    return this.users.endSessions(caller, id);
  }
}
