import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiErrors,
  Audited,
  type HttpReply,
  type HttpRequest,
  NeedsScope,
  NotAudited,
  Public,
  Tenant,
  WithoutSecondFactor,
} from '#libs/http-kit';
import type { Caller } from '#libs/common';
import { AccountService } from './account.service.js';
import { Browsers } from './browsers.js';
import { JoiningService } from './joining.service.js';
import { sessionTokenIn } from './session-cookie.js';
import { SignInsService } from './sign-ins.service.js';
import { AcceptInvitationDto, LinkTokenDto, SignInDto } from './users.dto.js';
import {
  CodeNeeded,
  CodeWrong,
  EmailNeeded,
  EmailTaken,
  InvitationInvalid,
  PasswordsOff,
  PasswordTooWeak,
  PersonNeeded,
  SessionNotFound,
  SignInBusy,
  SignInFailed,
  TooManySignIns,
} from './users.errors.js';
import { OpenedLinkResponse, SignedInResponse, SignInOptionsResponse } from './users.response.js';

/** Of the bodies of people who are not signed in yet. */
const MAX_BYTES = 8_192;

@ApiTags('Users')
@Controller({ path: 'users', version: '1' })
@Audited('user', { account: true })
export class SignInsController {
  constructor(
    private readonly signIns: SignInsService,
    private readonly joining: JoiningService,
    private readonly accounts: AccountService,
    private readonly browsers: Browsers,
  ) {}

  /**
   * Signs in with email and password.
   * @remarks Called by the console. The session is in an `HttpOnly` cookie, which requests without an API key are
   * identified by; changes need the `csrfToken` in the header `X-CSRF-Token` as well.
   */
  @Post('session')
  @Public({ maxBodyBytes: MAX_BYTES })
  @ApiData(201, SignedInResponse)
  @ApiErrors(SignInFailed, CodeNeeded, CodeWrong, PasswordsOff, TooManySignIns, SignInBusy)
  async signIn(
    @Body() dto: SignInDto,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<SignedInResponse> {
    const opened = await this.signIns.signIn(dto, this.browsers.originOf(request));
    await this.browsers.giveSession(request, reply, opened);
    return this.accounts.show(opened);
  }

  /** Gets what a sign-in page offers. */
  @Get('session/options')
  @Public()
  @ApiData(200, SignInOptionsResponse)
  getSignInOptions(@Req() { headers }: HttpRequest): Promise<SignInOptionsResponse> {
    return this.accounts.options(sessionTokenIn(headers.cookie));
  }

  /** Gets who is signed in, with the environments and roles of that person. */
  @Get('session')
  @WithoutSecondFactor()
  @NeedsScope('read')
  @ApiData(200, SignedInResponse)
  @ApiErrors(PersonNeeded)
  getSession(@Tenant() caller: Caller, @Req() { headers }: HttpRequest): Promise<SignedInResponse> {
    return this.accounts.current(caller, sessionTokenIn(headers.cookie));
  }

  /** Signs out: ends the session of the request. */
  @Delete('session')
  @WithoutSecondFactor()
  @NeedsScope('read')
  @HttpCode(204)
  @ApiErrors(PersonNeeded, SessionNotFound)
  async signOut(
    @Tenant() caller: Caller,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<void> {
    await this.accounts.signOut(caller);
    this.browsers.takeSession(request, reply);
  }

  /**
   * Shows what an invitation or another link is for.
   * @remarks Does not use the link.
   */
  @Post('invitations/look')
  @NotAudited('changes nothing')
  @HttpCode(200)
  @Public({ maxBodyBytes: MAX_BYTES })
  @ApiData(200, OpenedLinkResponse)
  @ApiErrors(InvitationInvalid)
  lookAtInvitation(@Body() { token }: LinkTokenDto): Promise<OpenedLinkResponse> {
    return this.joining.look(token);
  }

  /**
   * Accepts an invitation, or sets a new password with a link, and signs in.
   * @remarks A link works once. Somebody who has an account sends its password. Who signs in with a provider (OIDC_ISSUER) needs no
   * link: that accepts the invitations to their address.
   */
  @Post('invitations/accept')
  @Public({ maxBodyBytes: MAX_BYTES })
  @ApiData(201, SignedInResponse)
  @ApiErrors(
    InvitationInvalid,
    EmailNeeded,
    EmailTaken,
    PasswordTooWeak,
    SignInFailed,
    CodeNeeded,
    CodeWrong,
    PasswordsOff,
    TooManySignIns,
    SignInBusy,
  )
  async acceptInvitation(
    @Body() dto: AcceptInvitationDto,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<SignedInResponse> {
    const opened = await this.joining.accept(dto, this.browsers.originOf(request));
    await this.browsers.giveSession(request, reply, opened);
    return this.accounts.show(opened);
  }
}
