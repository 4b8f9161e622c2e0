import { Controller, Get, Param, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type HttpReply, type HttpRequest, Public } from '#libs/http-kit';
import { linkTarget, RecipientLinks } from '../../platform/recipient-links/index.js';
import { sendInvalidLink } from '../preference-pages/index.js';
import { isMachine } from './machine.js';
import { RecordedEngagements } from './recorded-engagements.js';

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Called by mail programs and browsers, not by clients: they are not in the OpenAPI document. */
@ApiExcludeController()
@Public()
@Controller({ version: VERSION_NEUTRAL })
export class MailTrackingController {
  constructor(
    private readonly links: RecipientLinks,
    private readonly engagements: RecordedEngagements,
  ) {}

  /** Leads to where the link of the mail leads, and to nothing that Herald has not signed. */
  @Get('click/:token')
  async click(@Param('token') token: string, @Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const claims = this.links.read('click', token);
    const target = linkTarget(claims?.target ?? '');
    if (claims === undefined || target === undefined) return sendInvalidLink(reply, request);
    if (request.method === 'GET') await this.engagements.record(claims, 'clicked', isMachine(request.headers));
    unseen(reply).status(302).header('location', target).send();
  }

  /** A picture of one pixel that nobody sees. */
  @Get('open/:token')
  async open(@Param('token') token: string, @Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const claims = this.links.read('open', token);
    if (claims === undefined) return sendInvalidLink(reply, request);
    if (request.method === 'GET') await this.engagements.record(claims, 'opened', isMachine(request.headers));
    // Mail programs in a browser load it from another site.
    unseen(reply).status(200).header('cross-origin-resource-policy', 'cross-origin').type('image/gif').send(PIXEL);
  }
}

/** Kept by no cache, and told to no other server. */
function unseen(reply: HttpReply): HttpReply {
  return reply
    .header('cache-control', 'no-store, max-age=0')
    .header('referrer-policy', 'no-referrer')
    .header('x-robots-tag', 'noindex, nofollow');
}
