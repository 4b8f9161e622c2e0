import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { allProviders } from '#libs/channels';
import { ApiDataArray } from '#libs/http-kit';
import { ProviderResponse, showProvider } from './provider.response.js';

@ApiTags('Integrations')
@Controller({ path: 'integrations/providers', version: '1' })
export class ProvidersController {
  /**
   * Lists the providers that integrations can have.
   * @remarks With the credentials that each one takes, for forms. Providers of plugins are among them.
   */
  @Get()
  @ApiDataArray(200, ProviderResponse)
  listProviders(): ProviderResponse[] {
    return allProviders().map(showProvider);
  }
}
