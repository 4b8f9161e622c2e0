import { Injectable } from '@nestjs/common';
import type { Tool } from './tool.js';
import { DeliveryTools } from './delivery-tools.js';
import { ManualTools } from './manual-tools.js';
import { PeopleTools } from './people-tools.js';
import { QuestionTools } from './question-tools.js';
import { SendingTools } from './sending-tools.js';
import { WorkflowTools } from './workflow-tools.js';

/** All tools, in the order in which agents read them. */
@Injectable()
export class ToolBox {
  readonly tools: readonly Tool[];

  constructor(
    delivery: DeliveryTools,
    people: PeopleTools,
    workflows: WorkflowTools,
    sending: SendingTools,
    questions: QuestionTools,
    manual: ManualTools,
  ) {
    this.tools = [delivery, people, workflows, sending, questions, manual].flatMap(({ tools }) => tools);
  }
}
