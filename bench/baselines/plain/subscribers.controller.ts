import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CreateSubscriberDto, PageQuery } from './subscriber.dto.js';
import type { Subscriber } from './subscriber.schema.js';
import { SubscribersService } from './subscribers.service.js';

@Controller('subscribers')
export class SubscribersController {
  constructor(private readonly subscribers: SubscribersService) {}

  @Post()
  create(@Body() dto: CreateSubscriberDto): Promise<Subscriber> {
    return this.subscribers.create(dto);
  }

  @Get()
  findAll(@Query() query: PageQuery): Promise<Subscriber[]> {
    return this.subscribers.findAll(query);
  }

  @Get(':subscriberId')
  findOne(@Param('subscriberId') subscriberId: string): Promise<Subscriber> {
    return this.subscribers.findOne(subscriberId);
  }
}
