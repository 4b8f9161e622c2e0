import { channelWords, fullName, guessedSearch, searchOf } from './subscriber-words.js';

const channel = (credentials: object) => ({
  providerId: 'slack' as const,
  integrationIdentifier: 'i',
  _integrationId: 'x',
  credentials,
});

describe('words of subscribers', () => {
  it('never show the URL or the tokens of a channel', () => {
    const words = channelWords(
      channel({ webhookUrl: 'https://hooks.slack.example/secret', deviceTokens: ['t-1', 't-2'] }),
    );
    expect(words).toBe('2 devices, webhook URL set');
    expect(channelWords(channel({}))).toBe('no address yet');
  });

  it('guess what a text is', () => {
    expect(guessedSearch('ada@example.com')).toBe('email');
    expect(guessedSearch('+15550100')).toBe('phone');
    expect(guessedSearch('ada')).toBeUndefined();
    expect(searchOf('nonsense')).toBe('subscriberId');
  });

  it('join names', () => {
    expect(fullName({ firstName: 'Ada' })).toBe('Ada');
    expect(fullName({ firstName: 'Ada', lastName: 'Lovelace' })).toBe('Ada Lovelace');
  });
});
