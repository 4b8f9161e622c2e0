import { Processor, WorkerHost } from '@nestjs/bullmq';
import { InjectModel } from '@nestjs/mongoose';
import type { Job } from 'bullmq';
import type { Model } from 'mongoose';
import { Message } from './message.schema.js';
import { Subscriber } from './subscriber.schema.js';

const CONCURRENCY = 50;
export const DELIVERIES = 'deliveries';

export interface DeliveryJob {
  readonly to: string;
  readonly payload: Record<string, unknown>;
}

@Processor(DELIVERIES, { concurrency: CONCURRENCY })
export class DeliveryProcessor extends WorkerHost {
  constructor(
    @InjectModel(Message.name) private readonly messages: Model<Message>,
    @InjectModel(Subscriber.name) private readonly subscribers: Model<Subscriber>,
  ) {
    super();
  }

  async process({ data: { to, payload } }: Job<DeliveryJob>): Promise<void> {
    const subscriber = await this.subscribers.findOne({ subscriberId: to }).lean().exec();
    if (subscriber === null) return;
    const content = `Hello ${subscriber.firstName ?? ''}, ${String(payload['n'])}`;
    await this.messages.create({ subscriberId: to, content, payload, status: 'sent' });
  }
}
