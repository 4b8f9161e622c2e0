import { Injectable } from '@nestjs/common';
import { Step } from '../../run/step.decorator.js';
import { ProviderStep, ProviderStepTools } from '../provider.step.js';
import { PushChannel } from './push.channel.js';
import { push } from './push.declaration.js';

@Step(push)
@Injectable()
export class PushStep extends ProviderStep {
  constructor(channel: PushChannel, tools: ProviderStepTools) {
    super(channel, tools);
  }
}
