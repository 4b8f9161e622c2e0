import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../build.mjs';
import { addImport, addToList, argumentsOf, setArgument } from './edit.mjs';
import { fillIn, formsOf } from './names.mjs';

const run = promisify(execFile);

describe('formsOf', () => {
  it('should give a name every form that templates ask for', () => {
    expect(formsOf('push-policy')).toEqual({
      Name: 'PushPolicy',
      Names: 'PushPolicies',
      name: 'pushPolicy',
      names: 'pushPolicies',
      file: 'push-policy',
      files: 'push-policies',
      code: 'push_policy',
      text: 'push policy',
      texts: 'push policies',
      aText: 'a push policy',
      Texts: 'Push policies',
    });
  });

  it.each([
    ['topic', 'topics', 'a topic'],
    ['inbox', 'inboxes', 'an inbox'],
    ['key', 'keys', 'a key'],
  ])('should know that several of %s are %s', (name, files, aText) => {
    expect(formsOf(name)).toMatchObject({ files, aText });
  });

  it('should take the plural that is given', () => {
    expect(formsOf('person', 'people')).toMatchObject({ Names: 'People', files: 'people', file: 'person' });
  });
});

describe('fillIn', () => {
  it('should refuse a form that there is not', () => {
    expect(() => fillIn('a __colour__', {})).toThrow('__colour__');
  });
});

describe('edits', () => {
  const MODULE = `import { X } from 'x';\nimport { A } from './a/index.js';\nimport { C } from './c/index.js';\nf({ imports: [A, C.forRoot()] });`;

  it('should put an import into its place', () => {
    expect(addImport(MODULE, { name: 'B', from: './b/index.js' })).toContain("a/index.js';\nimport { B } from './b/");
    expect(addImport(MODULE, { name: 'D', from: './d/index.js' })).toContain("c/index.js';\nimport { D } from './d/");
  });

  it('should add to a list of a property, of a variable and of what a function returns', () => {
    expect(addToList(MODULE, 'imports', 'B', 'A')).toContain('[A, B, C.forRoot()]');
    expect(addToList("const X: string[] = ['a', 'b'];", 'X', "'c'")).toContain("['a', 'b', 'c']");
    expect(addToList('function make() { return [a]; }', 'make', 'b')).toContain('[a, b]');
    expect(() => addToList(MODULE, 'exports', 'B')).toThrow("no list 'exports'");
    expect(() => addToList(MODULE, 'imports', 'B', 'Z')).toThrow('no element Z');
  });

  it('should find and lengthen a call', () => {
    const text = "[declare('sms', 'a', 'A', 'key*'), declare('sms', 'b', 'B', '')]";
    expect(argumentsOf(text, 'declare', 'b')).toEqual(["'sms'", "'b'", "'B'", "''"]);
    expect(argumentsOf(text, 'declare', 'c')).toBeUndefined();
    expect(setArgument(text, 'declare', 'a', 4, '{}')).toContain("'key*', {})");
    expect(setArgument(text, 'declare', 'b', 3, "'x*'")).toContain("'B', 'x*')");
  });
});

/** A copy of the project in which the generators have been at work; it is thrown away. */
describe('what the generators write', () => {
  const copy = mkdtempSync(join(tmpdir(), 'herald-generated-'));
  let written;
  let faults;
  let tests;

  const node = (...args) => run(process.execPath, args, { cwd: copy, env: ownEnvironment(), maxBuffer: 1e8 });
  const generate = (...args) => node('tools/schematics/run.mjs', ...args, '--code-only');
  /** One after the other in one process, which loads the compiler once. */
  const generateAll = async (...lines) => {
    const program = lines.map(
      (line, n) =>
        `process.argv.splice(1, Infinity, 'run.mjs', ...${JSON.stringify([...line, '--code-only'])});
         await import('./tools/schematics/run.mjs?${n}');`,
    );
    const { stdout } = await node('--input-type=module', '-e', program.join('\n'));
    return stdout.trim().split('\n');
  };

  beforeAll(async () => {
    copyProject(copy);
    declareOnly(copy, 'sms', 'planned-sms');
    const urls = ['--docs', 'https://docs.acme.example/sms', '--base', 'https://api.acme.example'];
    written = await generateAll(
      ['resource', 'push-policy'],
      ['channel', 'sms', 'acme-sms', ...urls],
      ['channel', 'sms', 'planned-sms', ...urls],
      ['channel', 'email', 'acme-mail', ...urls],
      ['channel', 'chat', 'acme-chat', ...urls],
      ['channel', 'push', 'acme-push', ...urls],
    );
    // Both take their time.
    faults = node('tools/schematics/check-files.mjs', ...written.filter((path) => /\.(ts|mjs)$/.test(path))).then(
      ({ stdout }) => JSON.parse(stdout),
    );
    faults.catch(() => undefined);
    tests = outcome(
      node(
        'node_modules/jest/bin/jest.js',
        '--silent',
        // A second process would load the application for one file.
        '--runInBand',
        'test/push-policies/push-policies.e2e-spec.ts',
        'libs/channels/src/providers/.*/(planned-sms|acme-.*).spec.ts',
        'libs/channels/src/catalogue',
      ),
    );
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it('should have the files of a module', () => {
    expect(written.filter((path) => path.includes('push-polic')).sort()).toEqual([
      'src/management/push-policies/index.ts',
      'src/management/push-policies/push-policies.controller.ts',
      'src/management/push-policies/push-policies.errors.ts',
      'src/management/push-policies/push-policies.module.ts',
      'src/management/push-policies/push-policies.service.ts',
      'src/management/push-policies/push-policy.dto.ts',
      'src/management/push-policies/push-policy.response.ts',
      'src/management/push-policies/push-policy.schema.ts',
      'test/factories/push-policy.factory.ts',
      'test/push-policies/push-policies.e2e-spec.ts',
    ]);
  });

  it('should have correct types', async () => {
    expect((await faults).types).toEqual([]);
  });

  it('should be formatted', async () => {
    const files = written.map((path) => join(copy, path));
    expect(await outcome(node('node_modules/prettier/bin/prettier.cjs', '--check', ...files))).toBe('passed');
  });

  it('should pass the linter: style, layers, cycles, sizes and envelopes', async () => {
    expect((await faults).style).toEqual([]);
  });

  it('should pass its own tests over HTTP and against recorded requests', async () => {
    expect(await tests).toBe('passed');
  });

  it('should refuse to write over anything', async () => {
    await expect(generate('resource', 'push-policy')).rejects.toThrow("The module 'push-policies' already exists");
    await expect(
      generate('channel', 'sms', 'twilio', '--docs', 'https://a.b', '--base', 'https://a.b'),
    ).rejects.toThrow("'twilio' is already implemented");
    await expect(generate('resource', 'PushPolicy')).rejects.toThrow('kebab case');
  });
});

/** 'passed', or what was said. */
const outcome = (running) =>
  running.then(
    () => 'passed',
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  );

/** Without what this run of Jest has told its own processes. */
function ownEnvironment() {
  const names = ['JEST_WORKER_ID', 'NODE_OPTIONS', 'NODE_ENV', 'HERALD_TEST_STORE_URI'];
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !names.includes(name)));
}

function copyProject(to) {
  const left = new Set(['node_modules', 'dist', '.git', '.data', 'coverage']);
  cpSync(ROOT, to, { recursive: true, filter: (path) => !left.has(relative(ROOT, path).split(sep)[0]) });
  for (const name of ['node_modules', 'dist']) symlinkSync(join(ROOT, name), join(to, name));
}

/** A provider that the catalogue names although there is no code for it. */
function declareOnly(root, channel, id) {
  const path = join(root, `libs/channels/src/catalogue/${channel}.ts`);
  const declaration = `declare('${channel}', '${id}', 'Planned', 'user* password*', { note: 'Planned.' })`;
  writeFileSync(path, addToList(readFileSync(path, 'utf8'), `${channel.toUpperCase()}_DECLARATIONS`, declaration));
}
