import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../build.mjs';
import { ownEnvironment, runGenerators } from './run-generators.mjs';

const run = promisify(execFile);
const KINDS = ['provider', 'step', 'resource'];
const NAME = 'push-note';
const REFUSED = [
  ['a name that cannot be a file', ['PushNote', '--folder', 'new'], 'kebab case'],
  ['no folder', [NAME], '--folder is required'],
  ['an unknown kind', [NAME, '--folder', 'new', '--kind', 'channel'], '--kind must be one of provider, step, resource'],
  ['a folder with files', [NAME, '--folder', 'my-step'], 'is not empty'],
  ['a folder of Herald', [NAME, '--folder', join(ROOT, 'src', 'plugins')], 'belongs to Herald'],
  ['the folder of Herald', [NAME, '--folder', ROOT], 'belongs to Herald'],
];

/** Packages in a folder that has nothing to do with Herald, as users generate them. */
describe('npm run generate -- plugin', () => {
  const home = mkdtempSync(join(tmpdir(), 'herald-plugins-'));
  const folderOf = (kind) => join(home, `my-${kind}`);
  // npm runs scripts in the folder of Herald, and says where it was called.
  const env = { ...ownEnvironment(), INIT_CWD: home };
  const node = (args, cwd) => run(process.execPath, args, { cwd, env, maxBuffer: 1e8 });
  let ends;

  beforeAll(async () => {
    mkdirSync(join(home, 'empty'));
    const lines = [
      ...KINDS.map((kind) => [kind, [NAME, '--folder', `my-${kind}`, '--kind', kind]]),
      ...REFUSED,
      ['an empty folder', ['other', '--folder', 'empty']],
    ];
    const found = await runGenerators(
      ROOT,
      lines.map(([, args]) => ['plugin', ...args]),
      env,
    );
    ends = Object.fromEntries(lines.map(([what], at) => [what, found[at]]));
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it.each([
    ['provider', ['src/index.js', 'test/push-note.test.mjs', 'test/service.mjs']],
    ['step', ['src/index.js', 'test/push-note.test.mjs', 'test/service.mjs']],
    [
      'resource',
      [
        'src/index.ts',
        'src/push-note.dto.ts',
        'src/push-note.schema.ts',
        'src/push-notes.controller.ts',
        'src/push-notes.service.ts',
        'test/push-note.test.mjs',
        'tsconfig.json',
      ],
    ],
  ])('should write a package with a %s', (kind, files) => {
    const found = readdirSync(folderOf(kind), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(folderOf(kind).length + 1));
    const common = ['.gitignore', 'README.md', 'package.json', 'test/herald-home.mjs', 'test/test-herald.mjs'];
    expect(found.sort()).toEqual([...common, ...files].sort());
    expect(readFileSync(join(folderOf(kind), 'package.json'), 'utf8')).toContain('"name": "herald-plugin-push-note"');
  });

  it('should depend on Herald as the examples do: from a version on, and never installed for it', () => {
    const manifestIn = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const { version } = manifestIn(ROOT);
    for (const kind of KINDS) {
      const generated = manifestIn(folderOf(kind));
      const example = manifestIn(join(ROOT, 'examples', `plugin-${kind}`));
      expect(generated.peerDependencies).toEqual({ herald: `>=${version}` });
      expect(example.peerDependencies).toEqual({ herald: expect.stringMatching(/^>=\d+\.\d+\.\d+$/) });
      for (const { peerDependenciesMeta } of [generated, example])
        expect(peerDependenciesMeta).toEqual({ herald: { optional: true } });
    }
  });

  it('should format what it writes', async () => {
    const prettier = join(ROOT, 'node_modules/prettier/bin/prettier.cjs');
    const { stdout } = await node([prettier, '--check', '--config', join(ROOT, '.prettierrc'), '.'], home);
    expect(stdout).toContain('All matched files use Prettier code style!');
  });

  it.each(KINDS)('should pass the tests of the package with a %s', async (kind) => {
    const folder = folderOf(kind);
    // What `npm run build` does; tools/checks/generated-code.mjs checks the types.
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    if (existsSync(join(folder, 'tsconfig.json'))) await node([tsc, '-p', folder, '--noCheck'], folder);
    const { test } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts;
    const [program, ...args] = test.split(' ');
    expect(program).toBe('node');
    // The default differs between versions of Node.
    const said = await node(['--test-reporter=tap', ...args], folder).then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }) => stdout + stderr,
    );
    expect(said).toMatch(/^# pass [1-9]/m);
    expect(said).toMatch(/^# fail 0$/m);
  });

  it.each(REFUSED)('should refuse %s, and write nothing', (what, _args, text) => {
    expect(ends[what]).toMatchObject({ code: 1, out: [], err: [expect.stringContaining(text)] });
    expect(existsSync(join(home, 'new')) || existsSync(join(ROOT, 'src', 'plugins'))).toBe(false);
  });

  it('should take an empty folder', () => {
    expect(ends['an empty folder'].code).toBe(0);
    expect(readFileSync(join(home, 'empty', 'src', 'index.js'), 'utf8')).toContain("type: 'other'");
  });
});
