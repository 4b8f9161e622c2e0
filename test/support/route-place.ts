import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a route is written, such as `src/content/feeds/feeds.controller.ts:40`. @param method of the controller */
export function placeOfRoute(method: string): string {
  for (const entry of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!entry.endsWith('.controller.ts')) continue;
    const lines = readFileSync(join('src', entry), 'utf8').split('\n');
    const at = lines.findIndex((line) => new RegExp(`^  (?:async )?${method}\\(`).test(line));
    if (at !== -1) return `${join('src', entry)}:${at + 1}`;
  }
  return `the controller with ${method}()`;
}
