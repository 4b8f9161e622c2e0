import { Controller, Get, HttpCode, Param, Post, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ApiErrors, BodyTooLarge, type HttpReply, type HttpRequest, Public, UnsupportedBody } from '#libs/http-kit';
import { FormBodies, sendPage } from '../preference-pages/index.js';
import type { AnswerPage } from './answer-pages.js';
import { AnswerPageService } from './answer-page.service.js';

const JSON_TYPE = 'application/json';

/** Pages for people, not for clients: they are not in the OpenAPI document. */
@ApiExcludeController()
@Public()
@Controller({ path: 'answer', version: VERSION_NEUTRAL })
export class AnswerPageController {
  constructor(
    private readonly pages: AnswerPageService,
    private readonly forms: FormBodies,
  ) {}

  /** Answers nothing: programs that check mails follow links, too. */
  @Get(':token')
  async showQuestion(
    @Param('token') token: string,
    @Req() { headers }: HttpRequest,
    @Res() reply: HttpReply,
  ): Promise<void> {
    sendPage(reply, await this.pages.show(token, headers['accept-language']));
  }

  /** A button of the page, or of a push message, whose service worker asks for JSON. The same answer again changes nothing. */
  @Post(':token')
  @HttpCode(200)
  @ApiErrors(BodyTooLarge, UnsupportedBody)
  async answerByLink(
    @Param('token') token: string,
    @Req() request: HttpRequest,
    @Res() reply: HttpReply,
  ): Promise<void> {
    const read = (): Promise<URLSearchParams> => this.forms.read(request, reply);
    const page = await this.pages.answer(token, read, request.headers['accept-language']);
    if (request.headers.accept === JSON_TYPE) sendText(reply, page);
    else sendPage(reply, page);
  }
}

/** For pages of any origin: the token is the proof, and there is no cookie. */
function sendText(reply: HttpReply, { status, said }: AnswerPage): void {
  reply
    .status(status)
    .header('access-control-allow-origin', '*')
    .header('cache-control', 'no-store')
    .type(JSON_TYPE)
    .send(JSON.stringify({ text: said }));
}
