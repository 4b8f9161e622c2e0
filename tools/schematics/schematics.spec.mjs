import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { addImport, addToList, argumentsOf, setArgument } from './edit.mjs';
import { generatedCopy } from './generated-copy.mjs';
import { fillIn, formsOf } from './names.mjs';
import { ownEnvironment } from './run-generators.mjs';

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
      Text: 'Push policy',
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

/** `npm run check:static` has the compiler and the linter look at the same files (tools/checks/generated-code.mjs). */
describe('what the generators write', () => {
  let copy;
  let written;
  let refused;

  beforeAll(async () => {
    ({
      folder: copy,
      written,
      ends: refused,
    } = await generatedCopy([
      ['resource', 'push-policy'],
      ['channel', 'sms', 'twilio', '--docs', 'https://a.b', '--base', 'https://a.b'],
      ['resource', 'PushPolicy'],
      ['step', 'in-app'],
    ]));
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it('should have the files of a module', () => {
    expect(written.filter((path) => path.includes('push-polic')).sort()).toEqual([
      'src/content/push-policies/index.ts',
      'src/content/push-policies/push-policies.controller.ts',
      'src/content/push-policies/push-policies.errors.ts',
      'src/content/push-policies/push-policies.module.ts',
      'src/content/push-policies/push-policies.service.ts',
      'src/content/push-policies/push-policy.dto.ts',
      'src/content/push-policies/push-policy.response.ts',
      'src/content/push-policies/push-policy.schema.ts',
      'test/factories/push-policy.factory.ts',
      'test/push-policies/push-policies.e2e-spec.ts',
    ]);
  });

  it('should have the files of a step type', () => {
    expect(written.filter((path) => path.includes('open-ticket') || path.includes('engine.module')).sort()).toEqual([
      'src/engine/engine.module.ts',
      'src/engine/open-ticket/index.ts',
      'src/engine/open-ticket/open-ticket.declaration.ts',
      'src/engine/open-ticket/open-ticket.module.ts',
      'src/engine/open-ticket/open-ticket.step.ts',
      'test/open-ticket/open-ticket.e2e-spec.ts',
    ]);
  });

  it('should have those of Nest, in the wing of a team', () => {
    expect(written.filter((path) => path.startsWith('src/extensions/')).sort()).toEqual([
      'src/extensions/extensions.module.ts',
      'src/extensions/memos/dto/create-memo.dto.ts',
      'src/extensions/memos/dto/update-memo.dto.ts',
      'src/extensions/memos/entities/memo.entity.ts',
      'src/extensions/memos/memos.controller.spec.ts',
      'src/extensions/memos/memos.controller.ts',
      'src/extensions/memos/memos.module.ts',
      'src/extensions/memos/memos.service.spec.ts',
      'src/extensions/memos/memos.service.ts',
    ]);
  });

  it('should be formatted', async () => {
    await run(process.execPath, ['node_modules/prettier/bin/prettier.cjs', '--check', ...written], { cwd: copy });
  });

  it('should pass its own tests over HTTP and against recorded requests', async () => {
    const args = [
      'node_modules/jest/bin/jest.js',
      '--silent',
      // A second process would load the application for one file.
      '--runInBand',
      'test/push-policies/push-policies.e2e-spec.ts',
      'test/open-ticket',
      'libs/channels/src/providers/.*/(planned-sms|acme-.*).spec.ts',
      'libs/channels/src/catalogue',
      'src/extensions',
    ];
    const running = run(process.execPath, args, { cwd: copy, env: ownEnvironment(), maxBuffer: 1e8 });
    const said = await running.then(
      () => 'passed',
      ({ stdout, stderr }) => `${stdout}${stderr}`,
    );
    expect(said).toBe('passed');
  });

  it('should refuse to write over anything', () => {
    expect(refused.map(({ code, out }) => [code, out])).toEqual(refused.map(() => [1, []]));
    expect(refused.map(({ err }) => err[0].split('\n')[0])).toEqual([
      "The module 'push-policies' already exists.",
      "'twilio' is already implemented.",
      expect.stringContaining('kebab case'),
      "The folder 'in-app' already exists.",
    ]);
  });
});
