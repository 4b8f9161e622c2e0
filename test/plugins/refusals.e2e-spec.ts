import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = join(process.cwd(), 'dist', 'bundle', 'main.js');
const IMPORT = "import { definePlugin, defineProvider, defineSettings, defineStep, z } from 'herald/plugin';\n";

/** Herald refuses to start with a plugin that it cannot use: with one line, which names it and says what to do. */
describe('a plugin that does not fit', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'herald-refusal-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

  /** @param specs of plugins, or the whole code of a module that begins with `;` */
  function start(specs: readonly string[], plugins?: string): { status: number | null; stderr: string } {
    const paths = specs.map((spec, place) => {
      const path = join(folder, `plugin-${place}`);
      mkdirSync(path);
      const code = spec.startsWith(';') ? spec : `${IMPORT}export default definePlugin(${spec});`;
      writeFileSync(join(path, 'index.js'), code);
      writeFileSync(join(path, 'package.json'), '{ "type": "module" }');
      return path;
    });
    const env = { DATA_DIR: join(folder, 'data'), PORT: '0', HERALD_PLUGINS: plugins ?? paths.join(',') };
    return spawnSync(process.execPath, [PROGRAM], { cwd: folder, env, encoding: 'utf8' });
  }

  it.each<[why: string, specs: string[], text: string]>([
    ['another version', ["{ name: 'a', apiVersion: 2 }"], "'a' cannot be loaded: it is written for version 2"],
    ['no version', ["{ name: 'a' }"], "'a' cannot be loaded: it has no apiVersion. This Herald has version 1"],
    [
      'a misspelled member',
      ["{ name: 'a', apiVersion: 1, helper: { shout: () => '' } }"],
      "'a' cannot be loaded: it has unknown members: helper. A plugin can have name, apiVersion, modules,",
    ],
    [
      'an incomplete step type',
      [
        "{ name: 'a', apiVersion: 1, steps: [defineStep({ type: 'b' }), defineStep({ type: 'c', input: z.object({}) })] }",
      ],
      'its steps.0.input must be a schema made with z; its steps.1 must have a function run or a class runner.',
    ],
    [
      'an incomplete page',
      ["{ name: 'a', apiVersion: 1, pages: [{ path: 'A b', label: '', routes: ['rooms'], html: 1, icon: 'x' }] }"],
      'its pages.0.path must consist of lower-case letters, digits and hyphens; its pages.0.label must not be empty; its pages.0.routes.0 must begin with /v1/; its pages.0.html must be a text; its pages.0 has unknown members: icon.',
    ],
    [
      'two pages with one path',
      ["{ name: 'a', apiVersion: 1, pages: ['B', 'C'].map((label) => ({ path: 'b', label, routes: [], html: '' })) }"],
      'it has two pages with the path b. Give one of them another path.',
    ],
    [
      'an unknown channel',
      ["{ name: 'a', apiVersion: 1, providers: [defineProvider({ id: 'b', channel: 'fax', send() {} })] }"],
      'its providers.0.declaration.channel must be email, sms, chat or push.',
    ],
    [
      'a provider without a function',
      ["{ name: 'a', apiVersion: 1, providers: [defineProvider({ id: 'b', channel: 'sms' })] }"],
      "The provider 'b' has no function to send with",
    ],
    [
      'a provider without defineProvider()',
      ["{ name: 'a', apiVersion: 1, providers: ['b'] }"],
      'its providers.0 must be made with defineProvider().',
    ],
    [
      'an unknown event, and a helper that is no function',
      ["{ name: 'a', apiVersion: 1, helpers: { shout: '' }, listeners: [{ event: undefined, handle() {} }] }"],
      'its helpers.shout must be a function; its listeners.0.event must be a class of herald/plugin, such as MessageSent.',
    ],
    [
      'no settings',
      ["{ name: 'a', apiVersion: 1, settings: { A_URL: z.url() } }"],
      'its settings must be made with defineSettings().',
    ],
    ['no name', ['{ apiVersion: 1 }'], 'its name must consist of lower-case letters'],
    ['no definePlugin()', ['; export default {};'], 'its default export is not made with definePlugin()'],
    ['an error', ["; throw new Error('no luck');"], 'failed: no luck.'],
    [
      'a second copy of a shared package',
      ["; import '@nestjs/core/injector/module.js';"],
      "'@nestjs/core/injector/module.js' cannot be imported: of @nestjs/core, Herald shares what '@nestjs/core' itself exports.",
    ],
    ['a name that a shared package does not export', ["; import { Nest } from '@nestjs/core';"], "named 'Nest'"],
    ['a syntax error', ['; export default {{'], '. node --check FILE shows the line.'],
    ['the name of another', Array<string>(2).fill("{ name: 'a', apiVersion: 1 }"), 'two plugins have this name'],
    ['a helper of Herald', ["{ name: 'a', apiVersion: 1, helpers: { json: () => '' } }"], "template helper 'json'"],
    [
      'a helper of another plugin',
      ['a', 'b'].map((name) => `{ name: '${name}', apiVersion: 1, helpers: { shout: () => '' } }`),
      "'b' cannot be loaded: the plugin 'a' brings the template helper 'shout' as well",
    ],
    ['an operator of Herald', ["{ name: 'a', apiVersion: 1, operators: { LIKE: () => true } }"], "operator 'LIKE'"],
    [
      'no name of an operator',
      ["{ name: 'a', apiVersion: 1, operators: { like: () => true } }"],
      "'like' is no name for an operator; it must match",
    ],
    [
      'a step type of Herald',
      ["{ name: 'a', apiVersion: 1, steps: [defineStep({ type: 'digest', input: z.object({}), run() {} })] }"],
      "step type 'digest'",
    ],
    [
      'a provider of Herald',
      [
        "{ name: 'a', apiVersion: 1, providers: [defineProvider({ id: 'twilio', channel: 'sms', displayName: 'T', send() {} })] }",
      ],
      "provider 'twilio'",
    ],
    [
      'missing settings',
      ["{ name: 'a', apiVersion: 1, settings: defineSettings({ A_URL: z.url(), A_KEY: z.string() }) }"],
      'its settings are not valid: A_URL: ',
    ],
    [
      'migrations out of order',
      ["{ name: 'a', apiVersion: 1, migrations: [{ version: 2, name: 'x', run() {} }] }"],
      'Number them 1, 2, 3',
    ],
    [
      'a route of Herald',
      [
        `; ${IMPORT} import { Controller, Get, Module } from '@nestjs/common';
        class List { list() {} }
        Controller({ path: 'feeds', version: '1' })(List);
        Get()(List.prototype, 'list', Object.getOwnPropertyDescriptor(List.prototype, 'list'));
        class Lists {}
        Module({ controllers: [List] })(Lists);
        export default definePlugin({ name: 'a', apiVersion: 1, modules: [Lists] });`,
      ],
      'Herald has the route GET /v1/feeds already',
    ],
  ])('should be refused: %s', (_why, specs, text) => {
    const { status, stderr } = start(specs);
    expect(stderr).toMatch(/^herald: The plugin '[^']+' cannot be loaded: .+\n$/);
    expect(stderr).toContain(text);
    expect(status).toBe(1);
  });

  it('should be refused: a folder that is no package', () => {
    const { status, stderr } = start([], folder);
    expect(stderr).toContain('has neither a package.json nor an index.js. Enter the file of the plugin.');
    expect(status).toBe(1);
  });

  it.each(['not-installed', './nowhere'])('should be refused: %s does not exist', (entry) => {
    const { status, stderr } = start([], entry);
    expect(stderr).toMatch(/^herald: The plugin '[^']+' cannot be loaded: there is (no such package|nothing at) .+\n$/);
    expect(status).toBe(1);
  });
});
