import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from './compile-test.mjs';

const ROOT = new URL('../../', import.meta.url).href;
const JEST = new URL('./jest-globals.mjs', import.meta.url).href;
const RENDER_WORKER = new URL('./render-worker-file.mjs', import.meta.url).href;

const SPEC = /[.-]spec\.ts$/;

const found = (url) => ({ url, shortCircuit: true });
const isOwn = (url) => url?.startsWith(ROOT) && !url.startsWith(`${ROOT}node_modules/`);

/** Finds what stands for compiled files and for packages that only Jest has. */
export function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return found(JEST);
  if (!isOwn(context.parentURL)) return next(specifier, context);
  if (specifier.startsWith('#libs/')) return found(`${ROOT}libs/${specifier.slice('#libs/'.length)}/src/index.ts`);
  // Threads cannot run TypeScript: tests bundle the file of theirs when it is needed.
  if (specifier.endsWith('/render-worker-file.js')) return found(RENDER_WORKER);
  if (specifier.startsWith('.') && context.parentURL.endsWith('.ts') && specifier.endsWith('.js')) {
    const { href } = new URL(`${specifier.slice(0, -'.js'.length)}.ts`, context.parentURL);
    // A file of tests that another one imports defines its tests once more, whichever of them this process has run before.
    if (SPEC.test(href)) return found(`${href}?of=${basename(new URL(context.parentURL).pathname)}`);
    if (existsSync(fileURLToPath(href))) return found(href);
  }
  return next(specifier, context);
}

/** Compiles TypeScript. */
export function load(url, context, next) {
  if (!isOwn(url) || !new URL(url).pathname.endsWith('.ts')) return next(url, context);
  return { format: 'module', source: compile(fileURLToPath(url)), shortCircuit: true };
}
