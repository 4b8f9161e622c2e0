import { Injectable } from '@nestjs/common';
import { Step } from '../../run/step.decorator.js';
import { ProviderStep, ProviderStepTools } from '../provider.step.js';
import { SmsChannel } from './sms.channel.js';
import { sms } from './sms.declaration.js';

@Step(sms)
@Injectable()
export class SmsStep extends ProviderStep {
  constructor(channel: SmsChannel, tools: ProviderStepTools) {
    super(channel, tools);
  }
}
