import { Body, Controller, Delete, Get, HttpCode, Patch, Put, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiDataArray, ApiErrors, type HttpRequest, IdParam, NeedsScope, Tenant } from '#libs/http-kit';
import type { Caller } from '#libs/common';
import { AccountService } from './account.service.js';
import { ChangePasswordDto, RenameMeDto } from './users.dto.js';
import {
  PasswordTooWeak,
  PasswordWrong,
  PersonNeeded,
  SessionNotFound,
  SignInBusy,
  TooManySignIns,
} from './users.errors.js';
import { UserSessionResponse } from './users.response.js';

@ApiTags('Users')
@Controller({ path: 'users/me', version: '1' })
@NeedsScope('read')
export class AccountController {
  constructor(private readonly accounts: AccountService) {}

  /** Changes your name. */
  @Patch()
  @HttpCode(204)
  @ApiErrors(PersonNeeded)
  renameMe(@Tenant() caller: Caller, @Body() { name }: RenameMeDto): Promise<void> {
    return this.accounts.rename(caller, name);
  }

  /** Changes your password, and ends your other sessions. */
  @Put('password')
  @HttpCode(204)
  @ApiErrors(PersonNeeded, PasswordWrong, PasswordTooWeak, TooManySignIns, SignInBusy)
  changeMyPassword(
    @Tenant() caller: Caller,
    @Body() dto: ChangePasswordDto,
    @Req() { ip }: HttpRequest,
  ): Promise<void> {
    return this.accounts.changePassword(caller, dto, ip);
  }

  /** Lists your sessions, newest first. */
  @Get('sessions')
  @ApiDataArray(200, UserSessionResponse)
  @ApiErrors(PersonNeeded)
  listMySessions(@Tenant() caller: Caller): Promise<UserSessionResponse[]> {
    return this.accounts.listSessions(caller);
  }

  /** Ends all your sessions but that of the request. */
  @Delete('sessions')
  @HttpCode(204)
  @ApiErrors(PersonNeeded)
  endMyOtherSessions(@Tenant() caller: Caller): Promise<void> {
    return this.accounts.endOtherSessions(caller);
  }

  /** Ends one of your sessions. */
  @Delete('sessions/:sessionId')
  @HttpCode(204)
  @ApiErrors(PersonNeeded, SessionNotFound)
  endMySession(@Tenant() caller: Caller, @IdParam('sessionId') id: string): Promise<void> {
    return this.accounts.endSession(caller, id);
  }
}
