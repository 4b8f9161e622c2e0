/**
 * Which test or hook runs, for Jest's framework. Its own answer is an AsyncLocalStorage, and it makes one for each file, which Node never
 * forgets: each promise of the worker was then announced to those of all files before (ADR 76). Tests of a file run one after another,
 * so a variable knows as much.
 */
module.exports = class RunningContext {
  #running;

  getStore() {
    return this.#running;
  }

  run(store, callback) {
    const outer = this.#running;
    const restore = () => (this.#running = outer);
    this.#running = store;
    let result;
    try {
      result = callback();
    } catch (error) {
      restore();
      throw error;
    }
    if (typeof result?.then !== 'function') {
      restore();
      return result;
    }
    return result.finally(restore);
  }
};
