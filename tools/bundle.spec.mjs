import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const PROGRAM = `
  import { readdirSync, readFileSync, rmSync } from 'node:fs';
  import { bundle } from ${JSON.stringify(new URL('./bundle.mjs', import.meta.url).href)};
  const out = 'dist/bundle-of-a-test';
  const isDone = bundle(out);
  rmSync(out, { recursive: true, force: true });
  const children = () => readdirSync('/proc').filter((pid) => {
    try {
      const stat = readFileSync('/proc/' + pid + '/stat', 'utf8');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return state !== 'Z' && Number(parent) === process.pid;
    } catch {
      return false;
    }
  });
  // It ends when its pipes are closed; a service that is left would run indefinitely.
  for (let n = 0; n < 600 && children().length > 0; n++) await new Promise((resolve) => setTimeout(resolve, 100));
  console.log(JSON.stringify({ isDone, children: children().length }));
  process.exit();
`;

const ifPossible = existsSync('/proc/self') && existsSync(join('dist', 'src', 'main.js')) ? it : it.skip;

ifPossible('should leave no process of the bundler behind', () => {
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual({ isDone: true, children: 0 });
});

// Loads all modules of the bundle, whose port keeps it from starting, and compares the names that esbuild takes from the
// sources with those that the classes get.
const NAMES = `
  import { readFileSync } from 'node:fs';
  import { createRequire } from 'node:module';
  import { resolve } from 'node:path';
  const file = resolve('dist/bundle/herald.cjs');
  const names = [];
  const wrong = [];
  globalThis.noteName = (target, name) => {
    if (!/^class\\b/.test(Function.prototype.toString.call(target))) return target;
    names.push(name);
    if (target.name !== name) wrong.push(name);
    return target;
  };
  const source = readFileSync(file, 'utf8');
  const modules = Array.from(source.matchAll(/^var (init_\\w+) = __esm\\(/gm), ([, init]) => init + '();');
  const program = source.replace(
    /var __name = \\(target, value\\) => (.*);/,
    'var __name = (target, value) => noteName($1, value);',
  ) + modules.join('');
  const exit = process.exit;
  process.exit = () => {};
  new Function('exports', 'require', 'module', '__filename', '__dirname', program)(
    {}, createRequire(file), { exports: {} }, file, resolve('dist/bundle'),
  );
  console.log(JSON.stringify({ names, wrong }));
  exit(0);
`;

ifPossible('should keep the names of classes', () => {
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', NAMES], {
    encoding: 'utf8',
    env: { ...process.env, PORT: 'none' },
    maxBuffer: 10_000_000,
  });
  const { names, wrong } = JSON.parse(stdout);
  expect(wrong).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(['FeedsController', 'FeedsService', 'Feed', 'FeedResponse']));
});
