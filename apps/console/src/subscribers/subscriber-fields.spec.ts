import { readSubscriber } from './subscriber-fields.js';

const formOf = (values: Readonly<Record<string, string>>): Pick<FormData, 'get'> => ({
  get: (name: string) => values[name] ?? null,
});

describe('readSubscriber', () => {
  it('should send what is filled, and remove what was emptied', () => {
    const form = formOf({ firstName: ' Ada ', lastName: '', email: '', locale: 'en' });
    expect(readSubscriber(form, { lastName: 'Lovelace', phone: '' })).toEqual({
      firstName: 'Ada',
      lastName: null,
      locale: 'en',
    });
    expect(readSubscriber(form, undefined)).toEqual({ firstName: 'Ada', locale: 'en' });
  });
});
