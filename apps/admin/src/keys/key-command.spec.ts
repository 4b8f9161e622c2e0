import { parseKeyCommand, UsageError } from './key-command.js';

const now = new Date('2030-01-01T00:00:00Z');
const parse = (line: string): unknown => parseKeyCommand(line.split(' ').filter(Boolean), now);

describe('parseKeyCommand', () => {
  it.each([
    ['list', { action: 'list', environment: 'Development' }],
    ['list --environment production', { action: 'list', environment: 'Production' }],
    ['list --json', { action: 'list', environment: 'Development', json: true }],
    ['issue', { action: 'issue', environment: 'Development', name: 'command line' }],
    [
      'issue --name ci --expires 2030-12-31',
      { action: 'issue', environment: 'Development', name: 'ci', expiresAt: new Date('2030-12-31') },
    ],
    [
      'issue --scopes read,trigger,read',
      { action: 'issue', environment: 'Development', name: 'command line', scopes: ['trigger', 'read'] },
    ],
    ['reseal', { action: 'reseal', acceptLoss: false }],
    ['reseal --accept-loss', { action: 'reseal', acceptLoss: true }],
    ['vapid', { action: 'vapid' }],
    ['rotate 12ab', { action: 'rotate', environment: 'Development', id: '12ab' }],
    ['revoke 12ab --environment Production', { action: 'revoke', environment: 'Production', id: '12ab' }],
  ])('should understand %j', (line, command) => {
    expect(parse(line)).toEqual(command);
  });

  it.each([
    ['', 'Name a command.'],
    ['lst', "Unknown command 'lst'"],
    ['rotate', 'needs the id of a key'],
    ['revoke a b', "Unexpected argument 'b'"],
    ['list a', "Unexpected argument 'a'"],
    ['list --environment Staging', "Unknown environment 'Staging'"],
    ['issue --expires soon', 'is not a date'],
    ['issue --expires 2029-12-31', 'is in the past'],
    ['issue --scopes trigger,all', "Unknown scope 'all'"],
    ['issue --scopes=', "Unknown scope ''"],
    ['issue --colour red', '--colour'],
    ['issue --name', '--name'],
  ])('should refuse %j and show how it is done', (line, fault) => {
    expect(() => parse(line)).toThrow(UsageError);
    expect(() => parse(line)).toThrow(fault);
    expect(() => parse(line)).toThrow('Usage:');
  });
});
