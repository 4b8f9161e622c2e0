import { BadRequestException, Body, Controller, Post } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { IsNotEmpty, IsObject, IsOptional, IsString, MaxLength } from 'class-validator';
import { type Model, Types } from 'mongoose';
import { TriggerEvent } from './schemas/trigger-event.schema.js';
import { Workflow } from './schemas/workflow.schema.js';
import { type Owner, Tenant } from './tenant.decorator.js';

const NAME_LENGTH = 255;

class TriggerDto {
  @IsString()
  @IsNotEmpty()
  @MaxLength(NAME_LENGTH)
  name: string;

  @IsString()
  @IsNotEmpty()
  @MaxLength(NAME_LENGTH)
  to: string;

  @IsOptional()
  @IsObject()
  payload?: Record<string, unknown>;
}

/** Stores the event; there is nothing that delivers it. */
@Controller('events')
export class EventsController {
  constructor(
    @InjectModel(TriggerEvent.name) private readonly events: Model<TriggerEvent>,
    @InjectModel(Workflow.name) private readonly workflows: Model<Workflow>,
  ) {}

  @Post('trigger')
  async trigger(@Tenant() owner: Owner, @Body() { name, to, payload }: TriggerDto): Promise<object> {
    const { _environmentId } = owner;
    const filter = { _environmentId, identifier: name, deleted: false };
    const workflow = await this.workflows.findOne(filter, { _id: 1 }).lean().exec();
    if (workflow === null) throw new BadRequestException(`There is no workflow '${name}'.`);
    const transactionId = new Types.ObjectId().toHexString();
    await this.events.create({
      ...owner,
      _templateId: workflow._id,
      transactionId,
      name,
      to: [to],
      payload: payload ?? {},
    });
    return { acknowledged: true, status: 'processed', transactionId };
  }
}
