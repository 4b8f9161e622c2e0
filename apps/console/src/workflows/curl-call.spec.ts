import { curlCall } from './curl-call.js';

/** The words of a command line, by the rules of a POSIX shell for quotes and escapes. */
function wordsOf(line: string): string[] {
  const parts = /'([^']*)'|"([^"]*)"|\\\n|\\(.)|([^\s'"\\]+)|(\s+)/gy;
  const words = [''];
  for (const [, single, double, escaped, plain, space] of line.matchAll(parts)) {
    if (space !== undefined) words.push('');
    else words.push(`${words.pop() ?? ''}${single ?? double ?? escaped ?? plain ?? ''}`);
  }
  return words.filter((word) => word !== '');
}

describe('curlCall', () => {
  it('is read by a shell as it is meant, whatever the names contain', () => {
    const hostile = `it's $(touch /tmp/x) "quoted" \`y\` \\`;
    const words = wordsOf(
      curlCall('https://herald.example', hostile, { subscriberId: hostile }, { [hostile]: '$HOME' }),
    );
    expect(words.slice(0, 4)).toEqual(['curl', '-X', 'POST', 'https://herald.example/v1/events/trigger']);
    expect(words).toContain('authorization: ApiKey $HERALD_API_KEY');
    expect(words.at(-2)).toBe('-d');
    expect(JSON.parse(words.at(-1) ?? '')).toEqual({
      name: hostile,
      to: { subscriberId: hostile },
      payload: { [hostile]: '$HOME' },
    });
  });
});
