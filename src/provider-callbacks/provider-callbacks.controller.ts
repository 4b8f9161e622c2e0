import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { AppConfig } from '#libs/config';
import { ApiData, ApiErrors, IdParam, Public, type RawBodyRequest } from '#libs/http-kit';
import { toCallbackRequest } from './callback-request.js';
import { CallbackReceiptResponse } from './dto/callback-receipt.response.js';
import { ProviderCallbacksService } from './provider-callbacks.service.js';

@ApiTags('Provider callbacks')
@Controller({ path: 'provider-callbacks', version: '1' })
export class ProviderCallbacksController {
  constructor(
    private readonly callbacks: ProviderCallbacksService,
    private readonly config: AppConfig,
  ) {}

  /** Takes status reports of the provider of an integration; its signature proves where they come from. */
  @Post(':integrationId')
  @Public()
  @HttpCode(200)
  @ApiBody({ description: 'As the provider sends it, up to 5,000 events and 5 MB', required: false, schema: {} })
  @ApiData(200, CallbackReceiptResponse)
  @ApiErrors(400, 401, 404, 413, 503)
  receiveProviderCallback(
    @IdParam('integrationId') integrationId: string,
    @Req() request: RawBodyRequest,
  ): Promise<CallbackReceiptResponse> {
    return this.callbacks.receive(integrationId, toCallbackRequest(request, this.config.get('PUBLIC_URL')));
  }

  /** Answers providers that look whether an address exists before they report to it. */
  @Get(':integrationId')
  @Public()
  @ApiData(200, CallbackReceiptResponse)
  @ApiErrors(400, 404)
  probeProviderCallback(@IdParam('integrationId') integrationId: string): Promise<CallbackReceiptResponse> {
    return this.callbacks.probe(integrationId);
  }
}
