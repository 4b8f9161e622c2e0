import { type CredentialField, readForm, valuesOf } from './integration-form.js';

const field = (key: string, more: Partial<CredentialField> = {}): CredentialField => ({
  key,
  type: 'string',
  required: false,
  secret: false,
  label: key,
  description: key,
  rare: false,
  ...more,
});
const FIELDS = [
  field('apiKey', { secret: true, required: true }),
  field('from', { required: true }),
  field('port', { type: 'number-string' }),
  field('secure', { type: 'boolean' }),
  field('tlsOptions', { type: 'object' }),
];

describe('valuesOf', () => {
  it('should show what is stored, but no secret', () => {
    const stored = { apiKey: 'k-secret', from: 'a@b.example', secure: true, tlsOptions: { a: 1 } };
    expect(valuesOf(FIELDS, stored)).toEqual({
      apiKey: '',
      from: 'a@b.example',
      port: '',
      secure: true,
      tlsOptions: '{"a":1}',
    });
    expect(valuesOf(FIELDS, undefined)).toMatchObject({ from: '', secure: false });
  });
});

describe('readForm', () => {
  it('should keep secrets that were not entered, and what the form does not show', () => {
    const stored = { apiKey: 'k-secret', from: 'a@b.example', region: 'eu' };
    const { credentials, faults } = readForm(
      FIELDS,
      { apiKey: '', from: 'c@d.example', port: '25', secure: true },
      stored,
      true,
    );
    expect(credentials).toEqual({ apiKey: 'k-secret', from: 'c@d.example', region: 'eu', port: '25', secure: true });
    expect(faults).toEqual({});
  });

  it('should replace secrets that were entered, and remove what was emptied', () => {
    const stored = { apiKey: 'old', from: 'a@b.example', port: '25' };
    expect(readForm(FIELDS, { apiKey: 'new', from: 'a@b.example', port: '' }, stored, true).credentials).toEqual({
      apiKey: 'new',
      from: 'a@b.example',
    });
  });

  it('should say what is missing of an active integration only, and what cannot be read', () => {
    expect(readForm(FIELDS, { port: 'x', tlsOptions: '[' }, undefined, true).faults).toEqual({
      apiKey: 'An active integration needs this.',
      from: 'An active integration needs this.',
      port: 'Enter a whole number.',
      tlsOptions: 'Enter a JSON object, such as {"name": "value"}.',
    });
    expect(readForm(FIELDS, {}, undefined, false).faults).toEqual({});
  });

  it('should need one of several credentials', () => {
    const fields = [field('password', { unless: ['clientId'] }), field('clientId')];
    expect(readForm(fields, {}, undefined, true).faults).toHaveProperty('password');
    expect(readForm(fields, { clientId: 'id' }, undefined, true).faults).toEqual({});
  });
});
