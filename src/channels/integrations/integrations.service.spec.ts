import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { type Caller, KEY_SCOPES } from '#libs/common';
import { workerStore } from '../../../test/harness/index.js';
import { activeEmailFactory, discordFactory, SMTP_CREDENTIALS } from '../../../test/factories/integration.factory.js';
import { tenantOf } from '../../../test/support/service-tenant.js';
import { startTestApi, useApi } from '../../../test/support/test-api.js';
import type { CreateIntegrationDto } from './integration.dto.js';
import type { IntegrationResponse } from './integration.response.js';
import { IntegrationsService } from './integrations.service.js';

const api = useApi(() => startTestApi({}, { ...workerStore(), monitorCommands: true }));
let integrations: IntegrationsService;
let tenant: Caller;

beforeAll(() => {
  integrations = api.app.get(IntegrationsService);
});
beforeEach(async () => {
  tenant = { ...tenantOf(await api.session()), scopes: KEY_SCOPES };
});

const make = (body: Record<string, unknown>): Promise<IntegrationResponse> =>
  integrations.create(tenant, body as unknown as CreateIntegrationDto);
const orderOf = async (): Promise<string[]> =>
  (await integrations.candidates(tenant, 'email')).map(({ identifier }) => identifier);

describe('candidates', () => {
  it('should give active ones with readable credentials, the primary one first, then by priority', async () => {
    await make(activeEmailFactory({ identifier: 'first' }));
    await make(activeEmailFactory({ identifier: 'second' }));
    await make(activeEmailFactory({ identifier: 'third' }));
    await make(activeEmailFactory({ identifier: 'off', active: false }));
    await make(discordFactory());
    expect(await orderOf()).toEqual(['first', 'third', 'second']);
    expect((await integrations.candidates(tenant, 'email'))[0]).toMatchObject({
      primary: true,
      priority: 3,
      providerId: 'nodemailer',
      credentials: SMTP_CREDENTIALS,
    });
  });

  it('should follow every write at once', async () => {
    expect(await orderOf()).toEqual([]);
    const first = await make(activeEmailFactory({ identifier: 'first' }));
    const second = await make(activeEmailFactory({ identifier: 'second' }));
    expect(await orderOf()).toEqual(['first', 'second']);
    await integrations.setPrimary(tenant, second._id);
    expect(await orderOf()).toEqual(['second', 'first']);
    await integrations.update(tenant, second._id, { active: false });
    expect(await orderOf()).toEqual(['first']);
    await integrations.remove(tenant, first._id);
    expect(await orderOf()).toEqual([]);
  });
});

describe('findActiveByProvider', () => {
  it('should give the newest one, or the one with the identifier', async () => {
    await make(discordFactory({ identifier: 'first' }));
    await make(discordFactory({ identifier: 'second' }));
    const choices = [
      { providerId: 'discord' },
      { providerId: 'discord', identifier: 'first' },
      { providerId: 'slack' },
    ];
    const found = await integrations.findActiveByProvider(tenant, choices);
    expect(found.map((one) => one?.identifier)).toEqual(['second', 'first', undefined]);
  });

  it('should read the store once for any number of integrations that do not exist', async () => {
    const { providerId } = await make(discordFactory());
    const choices = Array.from({ length: 50 }, (_, index) => ({ providerId, identifier: `unknown-${index}` }));
    await integrations.findActiveByProvider(tenant, [{ providerId }]);
    let reads = 0;
    const count = ({ commandName, command }: { commandName: string; command: Record<string, unknown> }): void => {
      if (commandName === 'find' && command['find'] === 'integrations') reads += 1;
    };
    const client = api.app.get<Connection>(getConnectionToken()).getClient();
    client.on('commandStarted', count);
    const found = await integrations.findActiveByProvider(tenant, choices);
    client.off('commandStarted', count);
    expect(found).toEqual(Array.from({ length: 50 }, () => undefined));
    expect(reads).toBe(1);
  });
});

describe('channelStatus', () => {
  it('should count in-app as on without an integration', async () => {
    const off = { hasActiveIntegrations: false };
    const ranked = { ...off, hasPrimaryIntegrations: false };
    const on = { hasActiveIntegrations: true };
    expect(await integrations.channelStatus(tenant)).toEqual({
      in_app: on,
      email: ranked,
      sms: ranked,
      chat: off,
      push: off,
    });
    await make(activeEmailFactory());
    await make(discordFactory());
    await make({ providerId: 'novu', channel: 'in_app', active: false });
    expect(await integrations.channelStatus(tenant)).toEqual({
      in_app: off,
      email: { ...on, hasPrimaryIntegrations: true },
      sms: ranked,
      chat: on,
      push: off,
    });
    expect(await integrations.hasActive(tenant, 'in_app')).toBe(false);
  });
});
