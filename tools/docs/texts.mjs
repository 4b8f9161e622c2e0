import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that nobody writes in, and what was true of former versions. */
const SKIPPED =
  /^(node_modules|dist.*|\.git|\.data|coverage|site|cache|CHANGELOG\.md|package-lock\.json|openapi\.json)$/;
const TEXT = /\.(md|mdx?|[cm]?[jt]sx?|json|ya?ml|tpl|sh|html|py)$|^[^.]+$/;

/** Files below a folder in which somebody writes something for people. */
export function textsIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (SKIPPED.test(entry.name)) return [];
    if (entry.isDirectory()) return textsIn(path);
    return entry.isFile() && TEXT.test(entry.name) ? [path] : [];
  });
}
