import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors, BodyTooLarge, type HttpReply, type HttpRequest, Public } from '#libs/http-kit';
import { FormBodies } from './form-body.js';
import { sendPage } from './page-frame.js';
import { PreferencePageService } from './preference-page.service.js';

const PAGE = { content: { 'text/html': { schema: { type: 'string' } } } } as const;

@ApiTags('Recipient pages')
@ApiProduces('text/html')
@ApiResponse({ status: 200, description: 'The page.', ...PAGE })
@ApiResponse({ status: 400, description: 'The link or the form is not valid; nothing was changed.', ...PAGE })
@ApiResponse({ status: 410, description: 'The subscriber no longer exists.', ...PAGE })
@Public()
@Controller({ path: 'preference-page', version: '1' })
export class PreferencePageController {
  constructor(
    private readonly pages: PreferencePageService,
    private readonly forms: FormBodies,
  ) {}

  /**
   * Shows the preference page of a subscriber.
   * @remarks The subscriber's workflows by tag, channels, hours, language and time zone, in the subscriber's language and
   * with your branding. It needs no script and no log-in: the token is that of `preferencesUrl` in a message.
   */
  @Get(':token')
  async showPreferencePage(
    @Param('token') token: string,
    @Req() { headers }: HttpRequest,
    @Res() reply: HttpReply,
  ): Promise<void> {
    sendPage(reply, await this.pages.show(token, headers['accept-language']), false);
  }

  /**
   * Saves the form of the preference page.
   * @remarks Only what the recipient changed on the page is written.
   */
  @Post(':token')
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiBody({ schema: { type: 'object', additionalProperties: { type: 'string' } } })
  @ApiErrors(BodyTooLarge)
  async savePreferencePage(
    @Param('token') token: string,
    @Req() request: HttpRequest,
    @Res() reply: HttpReply,
  ): Promise<void> {
    const read = (owner: string): Promise<URLSearchParams> => this.forms.read(request, reply, owner);
    sendPage(reply, await this.pages.save(token, read, request.headers['accept-language']), false);
  }
}
