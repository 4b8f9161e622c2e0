import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ifBuilt = existsSync(join('dist', 'src', 'main.js')) ? it : it.skip;

ifBuilt(
  'should leave nothing behind when its output is closed, as by head',
  async () => {
    const temp = mkdtempSync(join(tmpdir(), 'herald-head-'));
    const demo = spawn(process.execPath, ['tools/demo/run.mjs'], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: temp },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    const url = await new Promise((resolve, reject) => {
      demo.stdout.on('data', (chunk) => {
        output += chunk;
        const found = /Herald\s+(http\S+)/.exec(output)?.[1];
        if (found) resolve(found);
      });
      demo.once('exit', (code) => reject(new Error(`The demo ended with ${code}: ${output}`)));
    });
    demo.removeAllListeners('exit');
    const ended = new Promise((resolve) => demo.once('exit', resolve));
    demo.stdout.destroy();
    expect(await ended).toBe(0);
    expect(readdirSync(temp)).toEqual([]);
    await expect(fetch(`${url}/v1/health-check`)).rejects.toThrow('fetch failed');
    rmSync(temp, { recursive: true });
  },
  600_000,
);
