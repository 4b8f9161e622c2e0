import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller, TenantContext } from '#libs/common';
import { SecretUnreadableError } from '#libs/secrets';
import { ApiData, ApiErrors, ApiPage, Audited, IdParam, lookAt, type Page, Tenant } from '#libs/http-kit';
import {
  CatcherInProduction,
  IntegrationIdentifierTaken,
  IntegrationNotFound,
  TooMuchContention,
} from '../../channels/integrations/index.js';
import { SubscriberNotFound } from '../../audience/subscribers/index.js';
import { ListCaughtQuery, SwitchCatcherDto } from './catcher.dto.js';
import { CaughtMessageNotFound } from './catcher.errors.js';
import { CatcherResponse, CaughtMessageResponse, ListedCaughtMessageResponse } from './catcher.response.js';
import { CatcherService } from './catcher.service.js';

@ApiTags('Testing')
@Controller({ path: 'catcher', version: '1' })
export class CatcherController {
  constructor(private readonly catcher: CatcherService) {}

  /** Checks whether messages of the environment are kept instead of sent. */
  @Get()
  @ApiData(200, CatcherResponse)
  getCatcher(@Tenant() tenant: TenantContext): Promise<CatcherResponse> {
    return this.catcher.show(tenant);
  }

  /**
   * Keeps all messages of the environment instead of sending them, or sends them again.
   * @remarks Each channel has a catcher, an integration that takes every message of the channel while it is active. Other integrations
   * are not changed. Processes notice the switch within 3 seconds. Requests of workflows and webhooks are made all the same. Refused in an environment of production.
   */
  @Put()
  @Audited('catcher', { look: lookAt(CatcherService, (catcher, caller) => catcher.show(caller)) })
  @ApiData(200, CatcherResponse)
  @ApiErrors(
    CatcherInProduction,
    IntegrationNotFound,
    IntegrationIdentifierTaken,
    SecretUnreadableError,
    TooMuchContention,
  )
  switchCatcher(@Tenant() tenant: Caller, @Body() { isOn }: SwitchCatcherDto): Promise<CatcherResponse> {
    return this.catcher.switch(tenant, isOn);
  }

  /**
   * Lists what was caught, newest first.
   * @remarks In-app messages, which are stored and not sent, are among them if they were made while a channel was caught.
   */
  @Get('messages')
  @ApiPage(ListedCaughtMessageResponse)
  @ApiErrors(SubscriberNotFound)
  listCaughtMessages(
    @Tenant() tenant: TenantContext,
    @Query() query: ListCaughtQuery,
  ): Promise<Page<ListedCaughtMessageResponse>> {
    return this.catcher.list(tenant, query);
  }

  /** Gets a caught message as the recipient would have got it. */
  @Get('messages/:messageId')
  @ApiData(200, CaughtMessageResponse)
  @ApiErrors(CaughtMessageNotFound)
  getCaughtMessage(
    @Tenant() tenant: TenantContext,
    @IdParam('messageId') messageId: string,
  ): Promise<CaughtMessageResponse> {
    return this.catcher.get(tenant, messageId);
  }
}
