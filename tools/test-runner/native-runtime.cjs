/* global __dirname -- a CommonJS module */
const asyncHooks = require('node:async_hooks');
const { createRequire, register } = require('node:module');
const { join } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const JestRuntime = require('jest-runtime').default;
const RunningContext = require('./running-context.cjs');

register(pathToFileURL(join(__dirname, 'hooks.mjs')));
const compiler = import('./compile-test.mjs');

/** What jest-worker sends when no file is left: the application that files share would keep the process alive. */
const CHILD_MESSAGE_END = 2;
process.on('message', ([type]) => {
  if (type === CHILD_MESSAGE_END) process.exit();
});

const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');
/** The framework keeps the tests of a file in a global with a symbol of its own, which another file would never see again. */
const STATE = 'JEST_STATE_SYMBOL';
const REPLACEABLE = { configurable: true, enumerable: true };

/**
 * Runs test files as modules of Node in the process of the worker, instead of in a context of their own: files of one worker share the
 * modules that they import, so that the application is loaded once in a worker (ADR 76). All else is Jest's: the order of tests,
 * limits, expectations, reporters.
 */
module.exports = class NativeRuntime extends JestRuntime {
  #environment;
  #testPath;
  #sourceMapOf;

  constructor(...given) {
    super(...given);
    [, this.#environment, , , , , this.#testPath] = given;
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(file) {
    ({ sourceMapOf: this.#sourceMapOf } = await compiler);
    this.#environment.global.jest = this.jestGlobals.jestObjectFor(this.#testPath);
    await import(pathToFileURL(file).href);
  }

  /** The framework that collects and runs tests: a fresh one for each file. */
  requireInternalModule(file) {
    delete globalThis[EVENT_HANDLERS];
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (symbol.description === STATE) delete globalThis[symbol];
    }
    delete require.cache[file];
    // Since Node 22 it is an accessor, which cannot be assigned to.
    const original = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage');
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { ...REPLACEABLE, value: RunningContext });
    try {
      return require(file);
    } finally {
      Object.defineProperty(asyncHooks, 'AsyncLocalStorage', original);
      // Node keeps what a module has required, also what is no longer in its cache.
      module.children = module.children.filter(({ filename }) => filename !== file);
    }
  }

  requireModule(from, name) {
    return name === undefined ? require(from) : createRequire(from)(name);
  }

  /** Where stack traces find the lines of TypeScript. */
  getSourceMaps() {
    const get = (source) => {
      const [path] = source.split('?', 1);
      if (!path.endsWith('.ts')) return undefined;
      try {
        return this.#sourceMapOf?.(path.startsWith('file:') ? fileURLToPath(path) : path);
      } catch {
        return undefined;
      }
    };
    return { get, [Symbol.iterator]: () => [].values() };
  }
};
module.exports.default = module.exports;
