import { Controller, Get, HttpCode, Param, Post, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ApiErrors, BodyTooLarge, type HttpReply, type HttpRequest, Public, UnsupportedBody } from '#libs/http-kit';
import { NoChannelGiven } from '../../content/preferences/index.js';
import { SubscriberNotFound } from '../../audience/subscribers/index.js';
import { WorkflowNotFound } from '../../content/workflows/index.js';
import { FormBodies } from './form-body.js';
import { sendPage } from './page-frame.js';
import { UnsubscribesService } from './unsubscribes.service.js';

/** Pages for people, not for clients: they are not in the OpenAPI document. */
@ApiExcludeController()
@Public()
@Controller({ path: 'unsubscribe', version: VERSION_NEUTRAL })
export class UnsubscribeController {
  constructor(
    private readonly unsubscribes: UnsubscribesService,
    private readonly forms: FormBodies,
  ) {}

  /** Changes nothing: programs that check mails follow links, too. */
  @Get(':token')
  async askToUnsubscribe(
    @Param('token') token: string,
    @Req() { headers }: HttpRequest,
    @Res() reply: HttpReply,
  ): Promise<void> {
    sendPage(reply, await this.unsubscribes.show(token, headers['accept-language']));
  }

  /** One click (RFC 8058), or the button of the page. Repeating it changes nothing more. */
  @Post(':token')
  @HttpCode(200)
  @ApiErrors(BodyTooLarge, UnsupportedBody, SubscriberNotFound, WorkflowNotFound, NoChannelGiven)
  async unsubscribe(
    @Param('token') token: string,
    @Req() request: HttpRequest,
    @Res() reply: HttpReply,
  ): Promise<void> {
    const read = (): ReturnType<FormBodies['readAction']> => this.forms.readAction(request, reply);
    sendPage(reply, await this.unsubscribes.act(token, read, request.headers['accept-language']));
  }
}
