import type { Step } from './steps/step.types.js';
import { type Channel, CHANNELS } from './workflow.schema.js';

/** What one channel of an environment has. */
export interface ChannelStatus {
  readonly hasActive: boolean;
  readonly hasPrimary: boolean;
}

interface ChannelIntegrationStatus {
  hasActiveIntegrations: boolean;
  /** Channels of which one integration is the primary one: email, sms. */
  hasPrimaryIntegrations?: boolean;
}

/** Whether the integrations that a workflow's steps need are there. */
export interface WorkflowIntegrationStatus {
  /** False when a channel of the steps has no active integration. */
  hasActiveIntegrations: boolean;
  /** Present, and then false, when a channel of the steps lacks the primary integration that it needs. */
  hasPrimaryIntegrations?: false;
  channels: Record<Channel, ChannelIntegrationStatus>;
}

const WITH_PRIMARY: readonly Channel[] = ['email', 'sms'];

/** @param status of every channel in the environment */
export function integrationStatusOf(
  steps: readonly Pick<Step, 'template'>[],
  status: Readonly<Record<Channel, ChannelStatus>>,
): WorkflowIntegrationStatus {
  const used = CHANNELS.filter((channel) => steps.some(({ template }) => template.type === channel));
  const lacksPrimary = used.some((channel) => WITH_PRIMARY.includes(channel) && !status[channel].hasPrimary);
  const channels = Object.fromEntries(CHANNELS.map((channel) => [channel, describe(channel, status[channel])]));
  return {
    hasActiveIntegrations: used.every((channel) => status[channel].hasActive),
    ...(lacksPrimary && { hasPrimaryIntegrations: false as const }),
    channels: channels as Record<Channel, ChannelIntegrationStatus>,
  };
}

function describe(channel: Channel, { hasActive, hasPrimary }: ChannelStatus): ChannelIntegrationStatus {
  return {
    hasActiveIntegrations: hasActive,
    ...(WITH_PRIMARY.includes(channel) && { hasPrimaryIntegrations: hasPrimary }),
  };
}
