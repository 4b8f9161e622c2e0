import { credentialReader } from './credential-reader.js';

describe('segment', () => {
  const segment = (value: string): string => credentialReader({ id: value }).segment('id');

  it('should encode what would end a segment', () => {
    expect(segment('a/b?c#d')).toBe('a%2Fb%3Fc%23d');
    expect(segment('..a')).toBe('..a');
  });

  it.each(['.', '..', ' .. '])('should refuse %j, which URLs resolve as folders', (value) => {
    expect(() => segment(value)).toThrow(
      expect.objectContaining({ code: 'credentials_incomplete', retryable: false }) as Error,
    );
  });
});
