import type { ProviderDeclaration } from '../core/declaration.js';
import { findProvider } from './catalogue.js';
import { missingCredentials } from './missing-credentials.js';

function declarationOf(id: string): ProviderDeclaration {
  const declaration = findProvider(id);
  if (!declaration) throw new Error(`no ${id}`);
  return declaration;
}

const smtp = { host: 'localhost', port: '25', from: 'a@b.example', senderName: 'A' };

describe('missingCredentials', () => {
  it.each([
    ['nodemailer', smtp],
    ['nodemailer', { ...smtp, secure: false, tlsOptions: {}, user: null, unknownKey: 5 }],
    ['discord', {}],
  ])('should find nothing wrong with complete credentials of %s', (id, credentials) => {
    expect(missingCredentials(declarationOf(id), credentials)).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    [
      'an absent key',
      { ...smtp, host: undefined },
      ['credentials.host is required (Host name or address of the server)'],
    ],
    ['an empty string', { ...smtp, host: '  ' }, ['credentials.host is required (Host name or address of the server)']],
    ['a number for a string', { ...smtp, host: 5 }, ['credentials.host must be a string']],
    ['a number for a port', { ...smtp, port: 25 }, ['credentials.port must be a whole number written as a string']],
    ['a word for a port', { ...smtp, port: 'smtp' }, ['credentials.port must be a whole number written as a string']],
    ['a string for a boolean', { ...smtp, secure: 'true' }, ['credentials.secure must be true or false']],
    ['an array for an object', { ...smtp, tlsOptions: [] }, ['credentials.tlsOptions must be an object']],
  ])('should name %s', (_name, credentials, faults) => {
    expect(missingCredentials(declarationOf('nodemailer'), credentials)).toEqual(faults);
  });

  it('should list every fault at once', () => {
    const faults = missingCredentials(declarationOf('twilio'), {});
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
      'credentials.accountSid',
      'credentials.token',
      'credentials.from',
    ]);
  });

  it('should not take inherited properties for credentials', () => {
    expect(
      missingCredentials(declarationOf('sendgrid'), Object.create({ apiKey: 'x' }) as Record<string, unknown>),
    ).toContainEqual(expect.stringContaining('credentials.apiKey'));
  });

  it('should require a key unless another one is given', () => {
    const outlook = declarationOf('outlook365');
    const sender = { from: 'a@b.example', senderName: 'A' };
    expect(missingCredentials(outlook, { ...sender, password: 'p' })).toEqual([]);
    expect(missingCredentials(outlook, { ...sender, clientId: 'c' })).toEqual([]);
    expect(missingCredentials(outlook, sender)).toEqual([
      expect.stringMatching(/^credentials\.password is required .* unless credentials\.clientId is given$/),
    ]);
  });
});
