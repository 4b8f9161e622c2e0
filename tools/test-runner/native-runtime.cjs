const { register } = require('node:module');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const JestRuntime = require('jest-runtime').default;

register(pathToFileURL(join(__dirname, 'hooks.mjs')));
const compiler = import('./compile-test.mjs');
/** What jest-worker sends when no file is left: the application that files share would keep the process alive. */
const CHILD_MESSAGE_END = 2;
process.on('message', ([type]) => {
  if (type === CHILD_MESSAGE_END) process.exit();
});

const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

/**
 * Runs test files as modules of Node in the worker process, instead of in a context of their own: files of one worker share the modules
 * that they import, and the application is loaded once in a worker (ADR 76). All else is Jest's: the order of tests, limits, mocks,
 * reporters.
 */
module.exports = class NativeRuntime extends JestRuntime {
  #environment;
  #testPath;
  #sourceMaps;

  constructor(config, environment, resolver, transformer, cacheFS, coverageOptions, testPath, globalConfig) {
    super(config, environment, resolver, transformer, cacheFS, coverageOptions, testPath, globalConfig);
    this.#environment = environment;
    this.#testPath = testPath;
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(from) {
    const { sourceMapOf } = await compiler;
    this.#sourceMaps = sourceMapOf;
    this.#environment.global.jest = this.jestGlobals.jestObjectFor(this.#testPath);
    await import(from.startsWith('/') ? pathToFileURL(from).href : from);
  }

  /** The framework that collects and runs tests; a fresh one for each file. */
  requireInternalModule(from, to) {
    if (to !== undefined) return super.requireInternalModule(from, to);
    delete globalThis[EVENT_HANDLERS];
    delete require.cache[from];
    return require(from);
  }

  requireModule(from, name) {
    return require(name ?? from);
  }

  getSourceMaps() {
    const sourceMapOf = (path) => {
      if (!path.endsWith('.ts')) return undefined;
      try {
        return this.#sourceMaps?.(path);
      } catch {
        return undefined;
      }
    };
    return { get: sourceMapOf, [Symbol.iterator]: () => [].values() };
  }
};
module.exports.default = module.exports;
