import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Put, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiDataArray,
  ApiErrors,
  Audited,
  type HttpRequest,
  IdParam,
  NeedsScope,
  shown,
  Tenant,
  WithoutSecondFactor,
} from '#libs/http-kit';
import type { Caller } from '#libs/common';
import { AccountService } from './account.service.js';
import { SecondFactors } from './second-factors.js';
import { ChangePasswordDto, ConfirmTotpDto, DisableTotpDto, PasswordDto, RenameMeDto } from './users.dto.js';
import {
  PasswordTooWeak,
  PasswordWrong,
  PersonNeeded,
  SessionNotFound,
  SignInBusy,
  TooManySignIns,
  TotpAlreadyOn,
  TotpCodeWrong,
  TotpNotBegun,
  TotpRequired,
} from './users.errors.js';
import { RecoveryCodesResponse, TotpSecretResponse, UserSessionResponse } from './users.response.js';

@ApiTags('Users')
@Controller({ path: 'users/me', version: '1' })
@NeedsScope('read')
@Audited('user', { account: true })
export class AccountController {
  constructor(
    private readonly accounts: AccountService,
    private readonly factors: SecondFactors,
  ) {}

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

  /**
   * Makes a secret for an authenticator app.
   * @remarks Signing in needs no codes until you confirm it.
   */
  @Post('totp')
  @WithoutSecondFactor()
  @ApiData(201, TotpSecretResponse)
  @ApiErrors(PersonNeeded, PasswordWrong, TotpAlreadyOn, TooManySignIns, SignInBusy)
  async beginMyTotp(
    @Tenant() caller: Caller,
    @Body() { password }: PasswordDto,
    @Req() { ip }: HttpRequest,
  ): Promise<TotpSecretResponse> {
    return shown(TotpSecretResponse, await this.factors.begin(caller, password, ip));
  }

  /**
   * Confirms the secret with a code: from now on, signing in needs codes.
   * @remarks Ends your other sessions. Returns recovery codes, each of which signs in once without the app.
   */
  @Post('totp/confirm')
  @WithoutSecondFactor()
  @ApiData(201, RecoveryCodesResponse)
  @ApiErrors(PersonNeeded, TotpCodeWrong, TotpNotBegun, TotpAlreadyOn, TooManySignIns)
  async confirmMyTotp(
    @Tenant() caller: Caller,
    @Body() { code }: ConfirmTotpDto,
    @Req() { ip }: HttpRequest,
  ): Promise<RecoveryCodesResponse> {
    return shown(RecoveryCodesResponse, await this.factors.confirm(caller, code, ip));
  }

  /**
   * Switches codes off.
   * @remarks Needs the password and a code, and ends your other sessions. Refused while the setting `REQUIRE_TOTP` demands codes of you.
   */
  @Post('totp/disable')
  @HttpCode(204)
  @ApiErrors(PersonNeeded, TotpRequired, PasswordWrong, TotpCodeWrong, TooManySignIns, SignInBusy)
  disableMyTotp(@Tenant() caller: Caller, @Body() dto: DisableTotpDto, @Req() { ip }: HttpRequest): Promise<void> {
    return this.factors.disable(caller, dto, ip);
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
