import { checkLayers } from './layers.mjs';
import { LIB_IMPORTS, MODULE_ORDER } from './module-order.mjs';
import { parse } from './project.mjs';

const faultsOf = (path, specifier) => checkLayers([parse(path, `import { x } from '${specifier}';`)]);

describe('checkLayers', () => {
  it.each([
    ['src/messages/messages.service.ts', '../workflows/index.js'],
    ['src/messages/dto/message.response.ts', '../../workflows/index.js'],
    ['src/feeds/feeds.service.ts', './feed.schema.js'],
    ['src/feeds/feeds.service.ts', '#libs/persistence'],
    ['src/app.module.ts', './events/index.js'],
    ['apps/delivery-worker/src/main.ts', '../../../src/delivery/index.js'],
    ['libs/secrets/src/secrets.module.ts', '#libs/config'],
    ['libs/testing/src/create-test-app.ts', '#libs/persistence'],
    ['src/feeds/feeds.service.spec.ts', '../../test/support/test-api.js'],
    ['src/feeds/feeds.service.spec.ts', '#libs/testing'],
    ['test/feeds.e2e-spec.ts', '../src/feeds/feeds.service.js'],
  ])('should let %s import %s', (path, specifier) => {
    expect(faultsOf(path, specifier)).toEqual([]);
  });

  it.each([
    ['src/workflows/workflows.service.ts', '../messages/index.js', 'stands below'],
    ['src/messages/messages.service.ts', '../workflows/workflows.service.js', 'through its index.ts only'],
    ['src/app.module.ts', './events/events.service.js', 'through its index.ts only'],
    ['src/feeds/feeds.service.ts', './index.js', 'not the facade'],
    ['src/feeds/feeds.service.ts', '../start-api.js', 'never import the root'],
    ['src/feeds/feeds.service.ts', '#libs/testing', 'for tests only'],
    ['src/feeds/feeds.service.ts', '#libs/persistence/store', 'facade only'],
    ['src/feeds/feeds.service.ts', '../../libs/persistence/src/store.js', 'facade only'],
    ['src/feeds/feeds.service.ts', '../../test/support/test-api.js', 'only tests'],
    ['src/feeds/feeds.service.ts', '../../apps/delivery-worker/src/main.js', 'application'],
    ['libs/config/src/app-config.ts', '#libs/persistence', 'may not use libs/persistence'],
    ['libs/http-kit/src/page.ts', '../../../src/feeds/index.js', 'never imports src'],
    ['apps/delivery-worker/src/main.ts', '../../../src/delivery/worker.js', 'through its index.ts only'],
    ['src/zebras/zebras.service.ts', './zebra.schema.js', 'has no place yet'],
    ['libs/zebra/src/index.ts', './zebra.js', 'has no place yet'],
  ])('should refuse that %s imports %s', (path, specifier, reason) => {
    const faults = faultsOf(path, specifier);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(reason);
  });

  it('should judge imports of types too', () => {
    const file = parse('src/feeds/feeds.service.ts', `import type { X } from '../messages/index.js';`);
    expect(checkLayers([file])).toHaveLength(1);
  });
});

describe('the table of rooms', () => {
  it('should name each module once', () => {
    expect(new Set(MODULE_ORDER).size).toBe(MODULE_ORDER.length);
  });

  it('should let libraries use known ones only, and never in a circle', () => {
    const reach = (lib, seen = []) => {
      expect(seen).not.toContain(lib);
      expect(LIB_IMPORTS).toHaveProperty([lib]);
      for (const next of LIB_IMPORTS[lib]) reach(next, [...seen, lib]);
    };
    for (const lib of Object.keys(LIB_IMPORTS)) reach(lib);
  });
});
