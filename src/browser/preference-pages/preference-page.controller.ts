import { Controller, Get, HttpCode, Param, Post, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ApiErrors, BodyTooLarge, type HttpReply, type HttpRequest, Public, UnsupportedBody } from '#libs/http-kit';
import { NoChannelGiven, NoPreferenceGiven } from '../../content/preferences/index.js';
import { SubscriberNotFound } from '../../audience/subscribers/index.js';
import { WorkflowNotFound } from '../../content/workflows/index.js';
import { FormBodies } from './form-body.js';
import { sendPage } from './page-frame.js';
import { PreferencePageService } from './preference-page.service.js';

/** A page for people, not for clients: it is not in the OpenAPI document. */
@ApiExcludeController()
@Public()
@Controller({ path: 'preferences', version: VERSION_NEUTRAL })
export class PreferencePageController {
  constructor(
    private readonly pages: PreferencePageService,
    private readonly forms: FormBodies,
  ) {}

  @Get(':token')
  @ApiErrors(SubscriberNotFound)
  async showPreferencePage(
    @Param('token') token: string,
    @Req() { headers }: HttpRequest,
    @Res() reply: HttpReply,
  ): Promise<void> {
    sendPage(reply, await this.pages.show(token, headers['accept-language']), false);
  }

  /** Writes only what the recipient changed on the page. */
  @Post(':token')
  @HttpCode(200)
  @ApiErrors(BodyTooLarge, UnsupportedBody, SubscriberNotFound, WorkflowNotFound, NoChannelGiven, NoPreferenceGiven)
  async savePreferencePage(
    @Param('token') token: string,
    @Req() request: HttpRequest,
    @Res() reply: HttpReply,
  ): Promise<void> {
    const read = (): Promise<URLSearchParams> => this.forms.read(request, reply);
    sendPage(reply, await this.pages.save(token, read, request.headers['accept-language']), false);
  }
}
