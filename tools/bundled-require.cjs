const { existsSync } = require('node:fs');
const { join } = require('node:path');

// Stands in the bundle for `node:module`. @nestjs/mapped-types loads these packages by createRequire(), which the bundler
// cannot follow: it would get a second copy from node_modules, 350 files, whose metadata Herald does not see (ADR 48).
const BUNDLED = {
  'class-validator': () => require('class-validator'),
  'class-transformer': () => require('class-transformer'),
  'class-transformer/cjs/storage': () => require('class-transformer/cjs/storage'),
};
const nodeModule = process.getBuiltinModule('module');

/* global __dirname -- a CommonJS module */
/** In the package, Swagger UI is part of it (tools/package/prepack.mjs). */
const SWAGGER_UI = join(__dirname, 'swagger-ui');
if (existsSync(SWAGGER_UI)) BUNDLED['swagger-ui-dist/absolute-path.js'] = () => () => SWAGGER_UI;

module.exports = {
  ...nodeModule,
  createRequire(from) {
    const load = nodeModule.createRequire(from);
    return Object.assign((name) => (Object.hasOwn(BUNDLED, name) ? BUNDLED[name]() : load(name)), load);
  },
};
