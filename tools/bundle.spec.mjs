import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync, stop } from 'esbuild';
import { grown, nameOnce } from './bundle.mjs';

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

it('should name classes that the bundler renames, and leave other functions alone', () => {
  const contents = `
    class First {}
    { class First {}; function Second() {}; function third() {}; var inner = [First, Second], other = third; }
    function Second() {}
    function third() {}
    var arrow = () => {};
    var property = { type: () => First };
    module.exports = { made: [First, Second, ...inner], third, other, arrow, property };`;
  const { outputFiles } = buildSync({
    stdin: { contents },
    bundle: true,
    write: false,
    format: 'cjs',
    keepNames: true,
    minifyWhitespace: true,
    minifySyntax: true,
  });
  stop();
  const module = {};
  new Function('module', nameOnce(outputFiles[0].text))(module);
  expect(module.exports.made.map(({ name }) => name)).toEqual(['First', 'Second', 'First', 'Second']);
  expect([module.exports.third.name, module.exports.other.name]).toContain('third2');
  expect(module.exports.arrow.name).toBe('');
  expect(module.exports.property.type.name).toBe('type');
});

it('should begin objects that grow as empty ones, and leave patterns, lone copies and texts alone', () => {
  const program = (objects) =>
    `const f=({...all})=>{const{...rest}=all,g=x=>x,text='{...}',regex=/\\{...a/.test('{abca');return [${objects},rest,text,regex]};`;
  const contents = program('{...rest,b:2},{...g(rest),a:3,c:[{...{d:1},...rest}]},{...rest},{a:0,...rest}');
  const expected = program(
    '{...null,...rest,b:2},{...null,...g(rest),a:3,c:[{...null,...{d:1},...rest}]},{...rest},{a:0,...rest}',
  );
  expect(grown(contents)).toBe(expected);
  const run = (text) => JSON.stringify(new Function(`${text}return f({a:1})`)());
  expect(run(grown(contents))).toBe(run(contents));
});
