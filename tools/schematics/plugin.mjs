import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../build.mjs';
import { assertKebab, fillIn, formsOf, UsageError } from './names.mjs';
import { Tree } from './tree.mjs';

const TEMPLATES = fileURLToPath(new URL('./plugin', import.meta.url));
/** Starts Herald for tests. */
const TEST_KIT = 'examples/test-herald.mjs';
/** Folders that hold code of Herald itself. */
const OWN_FOLDERS = ['src', 'libs', 'apps', 'packages', 'tools', 'test', 'dist', 'node_modules'];
const USED_BY_RESOURCES = ['@nestjs/common', '@nestjs/mongoose', '@nestjs/swagger', 'typescript'];

/** What differs by kind. */
const KINDS = {
  provider: { about: ({ file }) => `Adds the SMS provider \`${file}\`.`, calls: true },
  step: {
    about: ({ file }) => `Adds the step type \`${file}\`, which sends its input to a service.`,
    settings: ({ constant }) => `${constant}_URL=http://127.0.0.1:4000 `,
    calls: true,
  },
  resource: { about: ({ files }) => `Adds the routes \`/v1/${files}\` and their records.`, isTypeScript: true },
};

/**
 * Writes the package of a plugin that works, with its test.
 * @param name in kebab case: of the provider, of the step type, or of the resource in the singular
 * @param options.folder of the package, from the folder of the caller; it must be new or empty
 * @returns the paths that were written
 */
export function addPlugin(name, { folder, kind = 'step' } = {}) {
  assertKebab(name, 'The name of a plugin');
  if (!(kind in KINDS)) throw new UsageError(`--kind must be one of ${Object.keys(KINDS).join(', ')}.`);
  const target = targetOf(folder);
  const { about, settings, calls, isTypeScript } = KINDS[kind];
  const forms = {
    ...formsOf(name),
    Text: formsOf(name).text.replace(/^./, (letter) => letter.toUpperCase()),
    constant: name.replaceAll('-', '_').toUpperCase(),
    package: `herald-plugin-${name}`,
    apiVersion: /PLUGIN_API_VERSION = (\d+)/.exec(heraldFile('src/bootstrap/plugin-api/define-plugin.ts'))[1],
  };
  const tree = new Tree(target, join(ROOT, '.prettierrc'));
  const shared = {
    ...forms,
    about: about(forms),
    settings: settings?.(forms) ?? '',
    commands: commandsOf(target, isTypeScript),
    types: isTypeScript ? 'The first command writes the types of `herald/plugin`.\n\n' : '',
  };
  tree.create('package.json', JSON.stringify(manifestOf(forms, target, isTypeScript)));
  tree.create('README.md', filled('README.md', shared));
  tree.create('.gitignore', filled('gitignore', forms));
  tree.createFrom(join(TEMPLATES, kind), forms, (path) => path);
  if (calls) tree.create('test/service.mjs', filled('service.mjs', forms));
  tree.create('test/herald-home.mjs', filled('herald-home.mjs', { herald: `${pathTo(join(target, 'test'))}/` }));
  tree.create('test/test-herald.mjs', heraldFile(TEST_KIT));
  return tree.write();
}

function targetOf(folder) {
  if (folder === undefined || folder === '')
    throw new UsageError('--folder is required: the directory of the new package.');
  // npm runs scripts in the folder of Herald, and says where it was called.
  const target = resolve(process.env.INIT_CWD ?? process.cwd(), folder);
  const [first] = relative(ROOT, target).split(sep);
  if (first === '' || OWN_FOLDERS.includes(first)) {
    throw new UsageError(
      `${target} belongs to Herald. Name a folder outside of it, or one of its own, such as plugins/<name>.`,
    );
  }
  if (existsSync(target) && readdirSync(target).length > 0) throw new UsageError(`${target} is not empty.`);
  return target;
}

function manifestOf({ package: name, file }, target, isTypeScript = false) {
  const test = `node --test test/${file}.test.mjs`;
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    exports: isTypeScript ? './dist/index.js' : './src/index.js',
    scripts: isTypeScript ? { build: 'tsc', pretest: 'tsc', test } : { test },
    // Optional, so that npm does not look for it in the registry: Herald loads the plugin. What is added to the plugin API keeps
    // its version, so this Herald is the oldest that is known to do; later ones check `apiVersion`.
    peerDependencies: { herald: `>=${JSON.parse(heraldFile('package.json')).version}` },
    peerDependenciesMeta: { herald: { optional: true } },
    ...(isTypeScript && { devDependencies: devDependencies(target) }),
  };
}

function devDependencies(target) {
  const { dependencies } = JSON.parse(heraldFile('package.json'));
  const versions = USED_BY_RESOURCES.map((name) => [name, dependencies[name]]);
  return { ...Object.fromEntries(versions), herald: `file:${pathTo(target)}` };
}

function commandsOf(target, isTypeScript) {
  if (!isTypeScript) return 'npm test';
  return `npm run generate --prefix ${pathTo(target)} plugin-types\nnpm install\nnpm test`;
}

/** The folder of Herald from another one; absolute where no relative path leads to it. */
function pathTo(folder) {
  return relative(folder, ROOT).split(sep).join('/').replace(/\/$/, '');
}

function filled(template, forms) {
  return fillIn(readFileSync(join(TEMPLATES, `${template}.tpl`), 'utf8'), forms);
}

function heraldFile(path) {
  return readFileSync(join(ROOT, path), 'utf8');
}
