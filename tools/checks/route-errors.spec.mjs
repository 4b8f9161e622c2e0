import ts from 'typescript';
import { routeErrorFaults } from './route-errors.mjs';

const SERVICE = `
  declare function defineError(status: number, code: string, text: string): new () => Error;
  export const FeedNotFound = defineError(404, 'feed_not_found', 'There is no feed.');
  export const FeedInUse = defineError(409, 'feed_in_use', 'The feed is in use.');
  export const FeedTaken = defineError(409, 'feed_taken', 'The name is taken.');
  export interface Store { remove(): void }
  class FeedStore implements Store { remove(): void { throw new FeedInUse(); } }
  const refuse = () => { throw new FeedTaken(); };
  export class Feeds {
    constructor(private readonly store: Store) {}
    get(): void { throw new FeedNotFound(); }
    remove(): void { this.get(); this.store.remove(); }
    create(): void { [1].forEach(refuse); }
    find(): void {
      try { this.get(); } catch (error) { if (!(error instanceof FeedNotFound)) throw error; }
    }
    told(): void {
      try { this.get(); } catch (error) { if (error instanceof FeedNotFound) console.log(error); throw error; }
    }
    foreseen(): Promise<void> {
      return Promise.resolve(this.get()).catch((error) => { if (!(error instanceof FeedNotFound)) throw error; });
    }
  }`;

/** Faults of a controller with one route. */
function faultsOf(body, declared = '', kept = {}) {
  const files = {
    '/feeds.ts': SERVICE,
    '/controller.ts': `
      import { FeedInUse, FeedNotFound, Feeds, FeedTaken } from './feeds.js';
      declare function Controller(): ClassDecorator;
      declare function Get(): MethodDecorator;
      declare function ApiErrors(...errors: unknown[]): MethodDecorator;
      @Controller()
      class FeedsController {
        constructor(private readonly feeds: Feeds) {}
        @Get() ${declared} route(): void { ${body} }
        helper(): void { this.feeds.get(); }
      }`,
  };
  const options = { noLib: true, module: ts.ModuleKind.NodeNext, experimentalDecorators: true };
  const host = {
    ...ts.createCompilerHost(options),
    getCurrentDirectory: () => '/',
    fileExists: (path) => Object.hasOwn(files, path),
    readFile: (path) => files[path],
    getSourceFile: (path) =>
      Object.hasOwn(files, path) ? ts.createSourceFile(path, files[path], ts.ScriptTarget.ES2022, true) : undefined,
  };
  return routeErrorFaults(ts.createProgram(Object.keys(files), options, host), { isOwn: () => true, kept });
}

describe('routeErrorFaults', () => {
  it('should accept a route that declares what it throws', () => {
    expect(faultsOf('this.feeds.get();', '@ApiErrors(FeedNotFound)')).toEqual([]);
    expect(faultsOf('return;')).toEqual([]);
  });

  it('should find errors of what is called, behind interfaces and in functions that are passed on', () => {
    expect(faultsOf('this.feeds.remove();')).toEqual([
      'FeedsController.route does not declare FeedNotFound: FeedsController.route > Feeds.remove > Feeds.get',
      'FeedsController.route does not declare FeedInUse: FeedsController.route > Feeds.remove > FeedStore.remove',
    ]);
    expect(faultsOf('this.feeds.create();')).toEqual([expect.stringContaining('does not declare FeedTaken')]);
  });

  it('should find errors that nothing throws', () => {
    expect(faultsOf('this.feeds.get();', '@ApiErrors(FeedNotFound, FeedInUse)')).toEqual([
      'FeedsController.route declares FeedInUse, which nothing that it calls throws',
    ]);
  });

  it('should see where an error is caught, and where it is thrown again', () => {
    expect(faultsOf('this.feeds.find();')).toEqual([]);
    expect(faultsOf('return this.feeds.foreseen();')).toEqual([]);
    expect(faultsOf('this.feeds.told();')).toHaveLength(1);
  });

  it('should know the errors that do not leave a function', () => {
    expect(faultsOf('this.feeds.get();', '', { 'Feeds.get': { FeedNotFound: 'It was just stored.' } })).toEqual([]);
    expect(faultsOf('this.feeds.remove();', '', { 'Feeds.remove': { '*': 'In the background.' } })).toEqual([]);
  });

  it('should refuse what is no error', () => {
    expect(() => faultsOf('return;', '@ApiErrors(404)')).toThrow('@ApiErrors() takes errors, not 404.');
  });
});
