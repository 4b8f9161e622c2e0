import { byChannel, integrationWord } from './integration-words.js';

describe('words of integrations', () => {
  it('say whether an integration is used', () => {
    expect(integrationWord({ active: true }).tone).toBe('good');
    expect(integrationWord({ active: false }).label).toBe('Inactive');
    expect(integrationWord({ active: true, credentialsError: 'wrong key' }).tone).toBe('bad');
  });

  it('list each channel in the order in which integrations are tried', () => {
    const one = (name: string, more: object) => ({
      name,
      channel: 'email' as const,
      active: true,
      primary: false,
      priority: 0,
      ...more,
    });
    const rows = [
      one('off', { active: false }),
      one('second', { priority: 1 }),
      one('first', { primary: true, priority: 2 }),
      one('feed', { channel: 'in_app' }),
    ];
    expect(byChannel(rows).map(({ channel, rows: found }) => [channel, found.map(({ name }) => name)])).toEqual([
      ['email', ['first', 'second', 'off']],
      ['in_app', ['feed']],
    ]);
  });
});
