import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from './config.module.js';

describe('the file .env', () => {
  const before = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'herald-env-'));
  beforeAll(() => process.chdir(folder));
  afterAll(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });

  it('should be read with the byte order mark that some editors begin it with', () => {
    writeFileSync('.env', '\uFEFFDELIVERY_MAX_ATTEMPTS=7\r\n# a remark\r\nDELIVERY_RETRY_BASE_MS="1500"\r\n');
    const config = loadConfig();
    expect(config.get('DELIVERY_MAX_ATTEMPTS')).toBe(7);
    expect(config.get('DELIVERY_RETRY_BASE_MS')).toBe(1500);
  });

  it('should be refused in another encoding', () => {
    writeFileSync('.env', '\uFEFFPORT=3000\n', 'utf16le');
    expect(() => loadConfig()).toThrow('.env: must be text in UTF-8');
  });
});
