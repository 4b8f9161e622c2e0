import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { Page, PageQuery } from './page.js';
import type { Subscriber } from './schemas/subscriber.schema.js';
import { CreateSubscriberDto } from './subscriber.dto.js';
import { SubscribersService } from './subscribers.service.js';
import { type Owner, Tenant } from './tenant.decorator.js';

@Controller('subscribers')
export class SubscribersController {
  constructor(private readonly subscribers: SubscribersService) {}

  @Post()
  create(@Tenant() owner: Owner, @Body() dto: CreateSubscriberDto): Promise<Subscriber> {
    return this.subscribers.create(owner, dto);
  }

  @Get()
  list(@Tenant() owner: Owner, @Query() query: PageQuery): Promise<Page<Subscriber>> {
    return this.subscribers.list(owner, query);
  }

  @Get(':subscriberId')
  get(@Tenant() owner: Owner, @Param('subscriberId') subscriberId: string): Promise<Subscriber> {
    return this.subscribers.get(owner, subscriberId);
  }
}
