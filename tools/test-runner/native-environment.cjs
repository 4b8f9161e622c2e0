const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** The process of the worker. What Jest and a test file change in it is put back after the file. */
module.exports = class NativeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern;
  #settings = { ...process.env };
  #exit = process.exit;
  #getBuiltinModule = process.getBuiltinModule;
  #stackTraceLimit = Error.stackTraceLimit;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  setup() {
    // Jest has replaced it by one that looks in a registry of its own.
    process.getBuiltinModule = this.#getBuiltinModule;
  }

  handleTestEvent({ name, concurrent }) {
    if (name === 'add_test' && concurrent === true) {
      throw new Error(
        'Tests of a file run one after another: which one runs is kept in a variable (running-context.cjs).',
      );
    }
  }

  teardown() {
    this.fakeTimersModern.dispose();
    process.exit = this.#exit;
    Error.stackTraceLimit = this.#stackTraceLimit;
    for (const name of Object.keys(process.env)) if (!Object.hasOwn(this.#settings, name)) delete process.env[name];
    Object.assign(process.env, this.#settings);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
};
