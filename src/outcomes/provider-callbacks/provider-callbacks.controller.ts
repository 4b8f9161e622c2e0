import { Controller, Get, HttpCode, Post, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { AppConfig } from '#libs/config';
import {
  ApiData,
  ApiErrors,
  BodyReader,
  BodyTooLarge,
  type HttpReply,
  type HttpRequest,
  IdParam,
  Public,
  UnsupportedBody,
} from '#libs/http-kit';
import { toCallbackRequest } from './callback-request.js';
import { CallbackReceiptResponse } from './provider-callback.response.js';
import { ProviderCallbacksService } from './provider-callbacks.service.js';
import {
  CallbackHostInvalid,
  CallbackNotAuthentic,
  CallbackNotVerifiable,
  CallbackReplayed,
  CallbackTargetNotFound,
  CallbackUnreadable,
  TooManyCallbackEvents,
} from './provider-callbacks.errors.js';

@ApiTags('Provider callbacks')
@ApiErrors(CallbackTargetNotFound, CallbackNotVerifiable)
@Controller({ path: 'provider-callbacks', version: '1' })
export class ProviderCallbacksController {
  constructor(
    private readonly callbacks: ProviderCallbacksService,
    private readonly config: AppConfig,
    private readonly bodies: BodyReader,
  ) {}

  /**
   * Receives what a provider tells.
   * @remarks Providers call this URL; the signature of the call proves its origin. docs/webhooks.md describes the
   * setup. Status reports get the answer below. Where a person has pressed a button that answers a question, the answer is the one that the
   * provider expects.
   */
  @Post(':integrationId')
  @Public()
  @HttpCode(200)
  @ApiBody({
    description:
      'As sent by the provider, without Content-Encoding: up to 256 kB, 512 kB for SES, or 2 MB for providers that report on many messages at once, and 5,000 events',
    required: false,
    schema: {},
  })
  @ApiData(200, CallbackReceiptResponse)
  @ApiErrors(
    CallbackHostInvalid,
    CallbackUnreadable,
    CallbackNotAuthentic,
    CallbackReplayed,
    BodyTooLarge,
    TooManyCallbackEvents,
    UnsupportedBody,
  )
  receiveProviderCallback(
    @IdParam('integrationId') integrationId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<CallbackReceiptResponse | StreamableFile | undefined> {
    return this.callbacks.receive(integrationId, async (maxBytes) =>
      toCallbackRequest(
        request,
        await this.bodies.readRaw(request, reply.raw, maxBytes),
        this.config.get('PUBLIC_URL'),
      ),
    );
  }

  /**
   * Confirms the URL to providers that check it.
   * @remarks Some providers check that the URL exists before they send reports to it.
   */
  @Get(':integrationId')
  @Public()
  @ApiData(200, CallbackReceiptResponse)
  probeProviderCallback(@IdParam('integrationId') integrationId: string): Promise<CallbackReceiptResponse> {
    return this.callbacks.probe(integrationId);
  }
}
