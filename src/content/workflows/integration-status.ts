import { type Channel, CHANNELS } from '#libs/channels';
import type { ChannelStatus } from '../../channels/integrations/index.js';
import type { Step } from './steps/step.schema.js';

export interface WorkflowIntegrationStatus {
  hasActiveIntegrations: boolean;
  /** Only present, and then false, if a channel lacks a required primary integration. */
  hasPrimaryIntegrations?: false;
  channels: Record<Channel, ChannelStatus>;
}

export function integrationStatusOf(
  steps: readonly Pick<Step, 'template'>[],
  channels: Record<Channel, ChannelStatus>,
): WorkflowIntegrationStatus {
  const used = CHANNELS.filter((channel) => steps.some(({ template }) => template.type === channel));
  return {
    hasActiveIntegrations: used.every((channel) => channels[channel].hasActiveIntegrations),
    ...(used.some((channel) => channels[channel].hasPrimaryIntegrations === false) && {
      hasPrimaryIntegrations: false as const,
    }),
    channels,
  };
}
