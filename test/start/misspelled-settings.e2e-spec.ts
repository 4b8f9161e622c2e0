import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartedHerald, TEST_KEY } from '../support/started-herald.js';

describe('settings with a misspelled name', () => {
  it('should be named in the log, one line for each', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'herald-settings-'));
    const settings = {
      API_KEY: TEST_KEY,
      LOG_LEVEL: 'warn',
      LOG_LEVL: 'debug',
      HERALD_REDIS_URL: 'a secret',
      HOME: '/',
    };
    const herald = await StartedHerald.start(dataDir, settings);
    await herald.welcome();
    await herald.end('SIGTERM');
    expect(herald.lines().filter(({ context }) => context === 'Settings')).toEqual([
      expect.objectContaining({ level: 'warn', msg: 'Unknown setting LOG_LEVL; did you mean LOG_LEVEL?' }),
      expect.objectContaining({ level: 'warn', msg: 'Unknown setting HERALD_REDIS_URL; did you mean REDIS_URL?' }),
    ]);
    expect(JSON.stringify(herald.lines())).not.toContain('a secret');
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });
});
