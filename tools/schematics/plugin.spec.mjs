import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { ROOT } from '../build.mjs';

const run = promisify(execFile);
const KINDS = ['provider', 'step', 'resource'];
const NAME = 'push-note';

/** Packages in a folder that has nothing to do with Herald, as users generate them. */
describe('g:plugin', () => {
  const home = mkdtempSync(join(tmpdir(), 'herald-plugins-'));
  const folderOf = (kind) => join(home, `my-${kind}`);
  const node = (args, cwd) => run(process.execPath, args, { cwd, env: ownEnvironment(home), maxBuffer: 1e8 });
  // npm runs scripts in the folder of Herald.
  const generate = (...args) => node(['tools/schematics/run.mjs', 'plugin', ...args], ROOT);

  beforeAll(async () => {
    for (const kind of KINDS) await generate(NAME, '--folder', `my-${kind}`, '--kind', kind);
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
    // What `npm run build` does; the types are checked below.
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    if (existsSync(join(folder, 'tsconfig.json'))) await node([tsc, '-p', folder, '--noCheck'], folder);
    const { test } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts;
    const [program, ...args] = test.split(' ');
    expect(program).toBe('node');
    const said = await node(args, folder).then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }) => stdout + stderr,
    );
    expect(said).toMatch(/^# pass [1-9]/m);
    expect(said).toMatch(/^# fail 0$/m);
  });

  it('should write a resource with correct types', () => {
    const folder = folderOf('resource');
    // As npm install would.
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const config = ts.getParsedCommandLineOfConfigFile(join(folder, 'tsconfig.json'), {}, ts.sys);
    const paths = { 'herald/plugin': [join(ROOT, 'src/bootstrap/plugin-api/index.ts')] };
    const program = ts.createProgram(config.fileNames, { ...config.options, rootDir: undefined, paths, noEmit: true });
    const faults = config.fileNames.flatMap((name) => program.getSemanticDiagnostics(program.getSourceFile(name)));
    expect(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
    expect(config.fileNames).toHaveLength(5);
  });

  it.each([
    ['a name that cannot be a file', ['PushNote', '--folder', 'new'], 'kebab case'],
    ['no folder', [NAME], '--folder is required'],
    [
      'an unknown kind',
      [NAME, '--folder', 'new', '--kind', 'channel'],
      '--kind must be one of provider, step, resource',
    ],
    ['a folder with files', [NAME, '--folder', 'my-step'], 'is not empty'],
    ['a folder of Herald', [NAME, '--folder', join(ROOT, 'src', 'plugins')], 'belongs to Herald'],
    ['the folder of Herald', [NAME, '--folder', ROOT], 'belongs to Herald'],
  ])('should refuse %s, and write nothing', async (_what, args, text) => {
    await expect(generate(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(text) });
    expect(existsSync(join(home, 'new')) || existsSync(join(ROOT, 'src', 'plugins'))).toBe(false);
  });

  it('should take an empty folder', async () => {
    mkdirSync(join(home, 'empty'));
    await generate('other', '--folder', 'empty');
    expect(readFileSync(join(home, 'empty', 'src', 'index.js'), 'utf8')).toContain("type: 'other'");
  });
});

/** Without what this run of Jest has told its own processes. */
function ownEnvironment(caller) {
  const names = ['JEST_WORKER_ID', 'NODE_OPTIONS', 'NODE_ENV', 'HERALD_TEST_STORE_URI', 'HERALD_HOME'];
  const inherited = Object.entries(process.env).filter(([name]) => !names.includes(name));
  return { ...Object.fromEntries(inherited), INIT_CWD: caller };
}
