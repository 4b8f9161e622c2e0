import { integrationStatusOf } from './integration-status.js';

const ON = { hasActiveIntegrations: true };
const OFF = { hasActiveIntegrations: false };
const CHANNELS = {
  in_app: ON,
  email: { ...ON, hasPrimaryIntegrations: true },
  sms: { ...ON, hasPrimaryIntegrations: false },
  chat: OFF,
  push: ON,
};
const of = (...types: string[]): object =>
  integrationStatusOf(
    types.map((type) => ({ template: { type } })),
    CHANNELS,
  );

describe('integrationStatusOf', () => {
  it.each<[string, string[], object]>([
    ['no steps', [], { hasActiveIntegrations: true }],
    ['channels that have all', ['in_app', 'email', 'push', 'in_app'], { hasActiveIntegrations: true }],
    ['steps that send nothing', ['digest', 'delay', 'custom', 'trigger'], { hasActiveIntegrations: true }],
    ['a channel without integration', ['in_app', 'chat'], { hasActiveIntegrations: false }],
    ['a channel without primary', ['sms'], { hasActiveIntegrations: true, hasPrimaryIntegrations: false }],
  ])('should tell of %s', (_case, types, expected) => {
    expect(of(...types)).toEqual({ ...expected, channels: CHANNELS });
  });
});
