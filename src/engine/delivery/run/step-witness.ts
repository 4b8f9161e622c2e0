import type { OutboundMessage } from '#libs/channels';
import type { ConditionResult } from '#libs/conditions';
import type { ActiveIntegration } from '../../../management/integrations/index.js';
import type { ChannelDecision } from '../../../management/preferences/index.js';

export interface ConsideredIntegration {
  readonly integration: ActiveIntegration;
  /** Absent: the integration has no conditions. */
  readonly conditions?: ConditionResult;
  readonly isChosen: boolean;
}

export interface ComposedMessage {
  readonly integration: ActiveIntegration;
  readonly message: OutboundMessage;
}

/**
 * Notes what decided about a step and what it would have sent, also where everything passed and the trail is silent. Only
 * rehearsals have one: a delivery pays one comparison.
 */
export class StepWitness {
  conditions?: ConditionResult;
  preference?: ChannelDecision;
  /** Whether the subscriber's schedule lets the message out; absent where it was not asked. */
  isScheduled?: boolean;
  /** Variants whose conditions were evaluated, in their order; at most the last one passed. */
  readonly variants: { readonly id: string; readonly name?: string; readonly conditions: ConditionResult }[] = [];
  readonly integrations: ConsideredIntegration[] = [];
  /** What providers would get, in the order in which it would be sent. */
  readonly composed: ComposedMessage[] = [];
}
