import { Injectable } from '@nestjs/common';
import { Step } from '../../run/step.decorator.js';
import { ProviderStep, ProviderStepTools } from '../provider.step.js';
import { ChatChannel } from './chat.channel.js';
import { chat } from './chat.declaration.js';

@Step(chat)
@Injectable()
export class ChatStep extends ProviderStep {
  constructor(channel: ChatChannel, tools: ProviderStepTools) {
    super(channel, tools);
  }
}
