import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { COMMANDS } from '../../bin/commands.mjs';
import { ensureBuilt, ROOT } from '../build.mjs';
import { bundle } from '../bundle.mjs';
import { buildDocsSite } from '../docs-site/build.mjs';
import { buildInboxDemo } from '../inbox-demo/build.mjs';
import { writePluginTypes } from '../plugin-types.mjs';
import { optionalPeers, runtimeDependencies } from './manifest.mjs';
import { MANIFEST, ORIGINAL } from './postpack.mjs';

// Runs before `npm pack` (ADR 64): builds everything that the package contains, and gives package.json the dependencies of the
// package until postpack.mjs restores it.
const SWAGGER_UI = join(ROOT, 'dist', 'bundle', 'swagger-ui');
const SWAGGER_UI_FILES = [
  'LICENSE',
  'NOTICE',
  'favicon-16x16.png',
  'favicon-32x32.png',
  'oauth2-redirect.html',
  'oauth2-redirect.js',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'swagger-ui.css',
];

process.chdir(ROOT);
ensureBuilt('all');
// `npm start` needs the others as well: they are built already.
const programs = Object.values(COMMANDS).filter(([, program]) => dirname(program) === 'programs');
await bundle(Object.fromEntries(programs.map(([, program, file]) => [basename(program), file])), 'dist/programs');
copySwaggerUi();
buildDocsSite();
buildInboxDemo();
writePluginTypes();
useRuntimeDependencies();

function copySwaggerUi() {
  const from = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  rmSync(SWAGGER_UI, { recursive: true, force: true });
  mkdirSync(SWAGGER_UI, { recursive: true });
  for (const name of SWAGGER_UI_FILES) copyFileSync(join(from, name), join(SWAGGER_UI, name));
}

function useRuntimeDependencies() {
  const text = readFileSync(MANIFEST, 'utf8');
  const manifest = JSON.parse(text);
  const dependencies = runtimeDependencies(JSON.parse(readFileSync('package-lock.json', 'utf8')));
  // After an interrupted `npm pack`, the original is the kept one.
  const isReplaced = existsSync(ORIGINAL) && JSON.stringify(manifest.dependencies) === JSON.stringify(dependencies);
  if (isReplaced) return;
  writeFileSync(ORIGINAL, text);
  const packed = { ...manifest, dependencies, ...optionalPeers(manifest.dependencies) };
  const written = `${MANIFEST}.${process.pid}`;
  writeFileSync(written, `${JSON.stringify(packed, undefined, 2)}\n`);
  renameSync(written, MANIFEST);
}
