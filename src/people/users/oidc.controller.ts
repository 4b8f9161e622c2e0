import { Controller, Get, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AppConfig } from '#libs/config';
import { AppLogger, Audited, type HttpReply, type HttpRequest, Public } from '#libs/http-kit';
import { Browsers } from './browsers.js';
import { OIDC_PATH } from './oidc-client.js';
import { OidcFault } from './oidc-faults.js';
import { FLOW_SECONDS, OidcSignIns } from './oidc-sign-ins.js';
import { cookieIn, sessionTokenIn } from './session-cookie.js';

const COOKIE = 'herald_oidc';

/**
 * Browsers are led here, not clients: these are not in the OpenAPI document. Whatever happens, the browser ends in the console and at
 * no address that somebody sent.
 */
@ApiExcludeController()
@Public()
@Controller({ path: 'sign-in/oidc', version: VERSION_NEUTRAL })
export class OidcController {
  private readonly base: string;

  constructor(
    private readonly signIns: OidcSignIns,
    private readonly browsers: Browsers,
    private readonly logger: AppLogger,
    config: AppConfig,
  ) {
    this.base = config.get('PUBLIC_URL') ?? '';
  }

  /** Leads to the provider. */
  @Get()
  async leadToProvider(@Req() request: HttpRequest, @Res({ passthrough: true }) reply: HttpReply): Promise<void> {
    await this.lead(request, reply, async () => {
      const { url, sealed } = await this.signIns.begin(sessionTokenIn(request.headers.cookie));
      reply.header('set-cookie', [this.cookie(request, sealed, FLOW_SECONDS)]);
      return url;
    });
  }

  /**
   * Where the provider sends people back to.
   * @returns who it is, for the audit log
   */
  @Get('callback')
  @Audited('user', { account: true, reads: true })
  async signInWithProvider(
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<{ readonly _id: string } | undefined> {
    const { originalUrl, headers } = request;
    const [, query = ''] = originalUrl.split(/\?(.*)/s);
    let who: { readonly _id: string } | undefined;
    await this.lead(request, reply, async () => {
      const sealed = cookieIn(headers.cookie, COOKIE);
      const { opened, former } = await this.signIns.finish(sealed, query, this.browsers.originOf(request));
      await this.browsers.giveSession(request, reply, opened, former, [this.cookie(request, '', 0)]);
      who = { _id: opened.user._id.toHexString() };
      return `${this.base}/console`;
    });
    return who;
  }

  private async lead(request: HttpRequest, reply: HttpReply, act: () => Promise<string>): Promise<void> {
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
    // What looks at an address before somebody opens it must not use it up.
    if (request.method !== 'GET') return;
    const target = await act().catch((error: unknown) => {
      if (!(error instanceof OidcFault)) throw error;
      this.tell(error);
      return `${this.base}/console#sign-in=${error.fault}`;
    });
    reply.status(302).header('location', target);
  }

  private tell({ fault, message: reason, isOfTheOperator }: OidcFault): void {
    this.logger.event(isOfTheOperator ? 'warn' : 'info', 'Somebody could not sign in with the provider', {
      fault,
      reason,
    });
  }

  /** Lax: the provider, another site, leads back by a link. */
  private cookie(request: HttpRequest, value: string, maxAgeSeconds: number): string {
    const path = `${this.base === '' ? '' : new URL(this.base).pathname.replace(/\/$/, '')}${OIDC_PATH}`;
    const attributes = [`Path=${path}`, 'HttpOnly', 'SameSite=Lax', `Max-Age=${maxAgeSeconds}`];
    return [`${COOKIE}=${value}`, ...attributes, ...(this.browsers.isSecure(request) ? ['Secure'] : [])].join('; ');
  }
}
