import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors, BodyTooLarge, type HttpReply, type HttpRequest, Public } from '#libs/http-kit';
import { FormBodies } from './form-body.js';
import { ONE_CLICK_FIELD, ONE_CLICK_VALUE } from './link-pages.js';
import { sendPage } from './page-frame.js';
import { UnsubscribesService } from './unsubscribes.service.js';

const PAGE = { content: { 'text/html': { schema: { type: 'string' } } } } as const;

@ApiTags('Recipient pages')
@ApiProduces('text/html')
@ApiResponse({ status: 400, description: 'The link or the request is not valid; nothing was changed.', ...PAGE })
@ApiResponse({ status: 409, description: 'The workflow is critical: nobody unsubscribes from it.', ...PAGE })
@ApiResponse({ status: 410, description: 'The subscriber or the workflow no longer exists.', ...PAGE })
@Public()
@Controller({ path: 'unsubscribe', version: '1' })
export class UnsubscribeController {
  constructor(
    private readonly unsubscribes: UnsubscribesService,
    private readonly forms: FormBodies,
  ) {}

  /**
   * Shows a page with a button that unsubscribes.
   * @remarks Changes nothing, because programs that check mails follow links too. The token is that of `unsubscribeUrl` in a
   * message.
   */
  @Get(':token')
  @ApiResponse({ status: 200, description: 'A page.', ...PAGE })
  async askToUnsubscribe(
    @Param('token') token: string,
    @Req() { headers }: HttpRequest,
    @Res() reply: HttpReply,
  ): Promise<void> {
    sendPage(reply, await this.unsubscribes.show(token, headers['accept-language']));
  }

  /**
   * Unsubscribes the recipient of a message from its workflow, on the channel of the message.
   * @remarks Mail programs call it when the reader clicks on their own button (RFC 8058): without a key, without cookies and
   * without following redirects. Repeating the call changes nothing more. The page of the same address sends
   * `action=subscribe` to undo it.
   */
  @Post(':token')
  @ApiConsumes('application/x-www-form-urlencoded', 'multipart/form-data')
  @ApiBody({
    schema: { type: 'object', properties: { [ONE_CLICK_FIELD]: { type: 'string', example: ONE_CLICK_VALUE } } },
  })
  @ApiResponse({ status: 200, description: 'The recipient is unsubscribed. A page says so.', ...PAGE })
  @ApiErrors(BodyTooLarge)
  async unsubscribe(@Param('token') token: string, @Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const read = (owner: string): ReturnType<FormBodies['readAction']> => this.forms.readAction(request, reply, owner);
    sendPage(reply, await this.unsubscribes.act(token, read, request.headers['accept-language']));
  }
}
