import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtProgram } from '../support/program.js';
import { eventually } from '../support/eventually.js';
import { StartedHerald } from '../support/started-herald.js';

describe('a Herald that is stopped before it is ready', () => {
  const folder = mkdtempSync(join(tmpdir(), 'herald-stopped-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

  it('should end with 0 and leave a store that starts again', async () => {
    const dataDir = join(folder, 'data');
    const env = { PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error' };
    const child = spawn(process.execPath, builtProgram('bundle/main.js'), { cwd: folder, env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    await eventually(() => expect(existsSync(dataDir)).toBe(true));
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    const again = await StartedHerald.start(dataDir, {}, folder);
    expect(await again.end('SIGTERM')).toBe(0);
  });
});
