import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * Installs a library where nothing of Herald's can be found by it, nor it by Herald: each in a folder of its own, without scripts.
 * @param name `name@version` @returns a `require` of that folder
 */
export function install(name, folder) {
  const home = join(folder, name.replaceAll('/', '+'));
  const done = join(home, 'installed');
  if (!existsSync(done)) {
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'package.json'), '{"private":true}');
    writeFileSync(join(home, 'import.mjs'), 'export const load = (name) => import(name);\n');
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
    const { status, stderr } = spawnSync('npm', ['install', ...quiet, name], { cwd: home, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${name} cannot be installed: ${stderr.trim().split('\n')[0]}`);
    writeFileSync(done, '');
  }
  const load = createRequire(join(home, 'package.json'));
  // For those that are ES modules only.
  load.import = async (one) => (await import(join(home, 'import.mjs'))).load(one);
  return load;
}
