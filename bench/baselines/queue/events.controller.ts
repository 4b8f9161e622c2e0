import { InjectQueue } from '@nestjs/bullmq';
import { Body, Controller, Post } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Queue } from 'bullmq';
import { IsNotEmpty, IsObject, IsOptional, IsString } from 'class-validator';
import type { Model } from 'mongoose';
import { DELIVERIES, type DeliveryJob } from './delivery.processor.js';
import { Subscriber } from './subscriber.schema.js';

const PAGE = 1_000;

class TriggerDto {
  @IsString()
  @IsNotEmpty()
  to: string;

  @IsOptional()
  @IsObject()
  payload?: Record<string, unknown>;
}

class BroadcastDto {
  @IsOptional()
  @IsObject()
  payload?: Record<string, unknown>;
}

@Controller('events/trigger')
export class EventsController {
  constructor(
    @InjectQueue(DELIVERIES) private readonly queue: Queue<DeliveryJob>,
    @InjectModel(Subscriber.name) private readonly subscribers: Model<Subscriber>,
  ) {}

  @Post()
  async trigger(@Body() { to, payload = {} }: TriggerDto): Promise<object> {
    await this.queue.add('deliver', { to, payload });
    return { acknowledged: true };
  }

  /** Answers when all jobs are in the queue. */
  @Post('broadcast')
  async broadcast(@Body() { payload = {} }: BroadcastDto): Promise<object> {
    const page: { name: string; data: DeliveryJob }[] = [];
    for await (const { subscriberId } of this.subscribers.find({}, { subscriberId: 1 }).lean().cursor()) {
      page.push({ name: 'deliver', data: { to: subscriberId, payload } });
      if (page.length === PAGE) await this.queue.addBulk(page.splice(0));
    }
    if (page.length > 0) await this.queue.addBulk(page);
    return { acknowledged: true };
  }
}
