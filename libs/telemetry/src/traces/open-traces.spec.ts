import { readFileSync } from 'node:fs';
import { AppConfig, ConfigError } from '#libs/config';
import { openTraces } from './open-traces.js';

describe('openTraces', () => {
  const failing = (error: Error) => openTraces(AppConfig.from({}), () => Promise.reject(error));

  it('should name the packages to install where they are missing', async () => {
    const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
    const refused = failing(missing);
    await expect(refused).rejects.toBeInstanceOf(ConfigError);
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: object };
    const names = Object.keys(dependencies).filter((name) => name.startsWith('@opentelemetry/'));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) await expect(refused).rejects.toThrow(name);
  });

  it('should not hide another fault', async () => {
    await expect(failing(new Error('The package is broken.'))).rejects.toThrow('The package is broken.');
  });
});
