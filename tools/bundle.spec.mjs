import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { COMMANDS } from '../bin/commands.mjs';
import { bundle } from './bundle.mjs';

const OUT = 'dist/bundle-of-a-test';
/** Joined for the npm package. */
const DEMO = { demo: 'tools/demo/run.mjs', catch: 'tools/demo/catch.mjs' };
/** Classes with decorators, functions that are made for each request, and a class that a package declares. */
const NAMED = {
  schema: 'dist/src/audience/subscribers/subscriber.schema.js',
  core: 'node_modules/@nestjs/core/helpers/execution-context-host.js',
};
/** Packages of which only `default` is used. */
const BY_DEFAULT = ['@fastify/cors', '@fastify/static', 'mongoose'];

describe('the bundle', () => {
  /** By file: its format and what it imports. */
  let inputs;
  beforeAll(async () => {
    const [program, demo] = [(await bundle(undefined, OUT)).metafile, (await bundle(DEMO, OUT)).metafile];
    inputs = { ...demo.inputs, ...program.inputs };
  });
  afterAll(() => rmSync(OUT, { recursive: true, force: true }));

  it('should keep the names of classes, and name no function that a package makes for a request', async () => {
    await bundle(NAMED, OUT);
    const program = `
      const { Subscriber, SubscriberSchema } = await import('./${OUT}/schema.js');
      const { ExecutionContextHost } = await import('./${OUT}/core.js');
      console.log(JSON.stringify([Subscriber.name, SubscriberSchema.path('_environmentId').constructor.name, String(ExecutionContextHost.prototype.switchToHttp)]));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const [own, ofMongoose, madeForEachRequest] = JSON.parse(stdout);
    expect([own, ofMongoose]).toEqual(['Subscriber', 'SchemaObjectId']);
    expect(madeForEachRequest).not.toContain('__name');
  });

  const loadedBy = ({ imports }) => imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path);

  it('should contain each program of the commands', () => {
    const files = Object.values(COMMANDS).flatMap(([, program, file]) => (program === 'bundle/command' ? [file] : []));
    expect(loadedBy(inputs['tools/command.mjs']).sort()).toEqual([...new Set(files)].sort());
  });

  // Node gives import() the names of a CommonJS package, and a bundle has only `default`: such a package belongs to RUNTIME_PACKAGES.
  it('should contain no package of CommonJS whose names import() would lose', () => {
    const lost = Object.values(inputs)
      .flatMap(loadedBy)
      .filter((path) => inputs[path]?.format === 'cjs');
    const packages = lost.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
    expect([...new Set(packages)].sort()).toEqual(BY_DEFAULT);
  });
});
