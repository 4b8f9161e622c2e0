import { Injectable } from '@nestjs/common';
import { Step } from '../../run/step.decorator.js';
import { ProviderStep, ProviderStepTools } from '../provider.step.js';
import { EmailChannel } from './email.channel.js';
import { email } from './email.declaration.js';

@Step(email)
@Injectable()
export class EmailStep extends ProviderStep {
  constructor(channel: EmailChannel, tools: ProviderStepTools) {
    super(channel, tools);
  }
}
