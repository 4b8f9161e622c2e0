import { AppConfig } from '#libs/config';
import type { HttpReply, HttpRequest } from '#libs/http-kit';
import { Injectable } from '@nestjs/common';
import { sessionCookie, sessionTokenIn } from './session-cookie.js';
import { type OpenedSession, type Origin, UserSessionsService } from './user-sessions.service.js';

/** What browsers send and get beside bodies. */
@Injectable()
export class Browsers {
  private readonly publicUrl: string | undefined;

  constructor(
    private readonly sessions: UserSessionsService,
    config: AppConfig,
  ) {
    this.publicUrl = config.get('PUBLIC_URL');
  }

  originOf({ ip, headers }: HttpRequest): Origin {
    return { ip, userAgent: headers['user-agent'] ?? '' };
  }

  /** Address of this Herald, for links. */
  baseOf({ protocol, host }: HttpRequest): string {
    return this.publicUrl ?? `${protocol}://${host}`;
  }

  /**
   * The session that the browser had ends with it.
   * @param former its token, where the request does not have it
   * @param cookies further ones
   */
  async giveSession(
    request: HttpRequest,
    reply: HttpReply,
    { token, session }: OpenedSession,
    former = sessionTokenIn(request.headers.cookie),
    cookies: readonly string[] = [],
  ): Promise<void> {
    if (former !== undefined) await this.sessions.endByToken(former);
    const maxAgeSeconds = Math.max(1, Math.floor((session.expiresAt.getTime() - session.lastUsedAt.getTime()) / 1_000));
    const cookie = sessionCookie(token, { maxAgeSeconds, isSecure: this.isSecure(request) });
    reply.header('set-cookie', [cookie, ...cookies]);
  }

  takeSession(request: HttpRequest, reply: HttpReply): void {
    reply.header('set-cookie', sessionCookie('', { maxAgeSeconds: 0, isSecure: this.isSecure(request) }));
  }

  /** A proxy may speak HTTP to Herald where the browser speaks HTTPS to the proxy. */
  isSecure({ protocol, host }: HttpRequest): boolean {
    return protocol === 'https' || `${this.publicUrl}/`.startsWith(`https://${host}/`);
  }
}
