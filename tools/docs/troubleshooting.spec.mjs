import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../build.mjs';

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const sources = readdirSync(join(ROOT, 'src'), { recursive: true })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
  .map((path) => [path, read(join('src', path))]);
const page = read('docs/troubleshooting.md');

/** First cells of the rows of a table, without code marks; its head is the row before the dashes. */
const firstCells = (text) =>
  [...text.replace(/^.*\n\| -+.*$/gm, '').matchAll(/^\| (`.+?`(?:, `.+?`)*)\s*\|/gm)].flatMap(([, cell]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name.trim()),
  );
const section = (title) => page.split(/^## /m).find((part) => part.startsWith(title)) ?? '';

describe('docs/troubleshooting.md', () => {
  it('should have every detail that can be written, and no other', () => {
    const labels = Object.fromEntries(
      [...read('src/engine/execution-details/detail.enums.ts').matchAll(/^ {2}(\w+): (['"])(.+)\2,$/gm)].map(
        ([, key, , text]) => [key, text.trim()],
      ),
    );
    const written = new Set(
      sources
        .filter(([path]) => !path.endsWith('detail.enums.ts'))
        .flatMap(([, text]) => [...text.matchAll(/\bDETAIL\.(\w+)/g)].map(([, key]) => labels[key])),
    );
    // Types of steps have texts of their own.
    for (const [, text] of sources.filter(([path]) => path.endsWith('.declaration.ts'))) {
      for (const [, , own] of text.matchAll(/\{ text: (['"])(.+?)\1, status: /g)) written.add(own.trim());
    }
    expect(written.size).toBeGreaterThan(30);
    expect(firstCells(section('Details of a step')).sort()).toEqual([...written].sort());
  });

  it('should have every status of a trigger', () => {
    const [, list] = /TRIGGER_STATUSES = \[([^\]]+)\]/.exec(read('src/engine/events/trigger-hints.ts')) ?? [];
    const statuses = [...list.matchAll(/'(\w+)'/g)].map(([, status]) => status);
    expect(firstCells(section('Status of a trigger')).sort()).toEqual(statuses.sort());
  });

  it('should have every reason of a job that stands in the code', () => {
    const reasons = sources
      .filter(([path]) => path.startsWith('engine/delivery'))
      .flatMap(([, text]) => [...text.matchAll(/\breason(?:: | \?\? |, )'(\w+)'/g)].map(([, reason]) => reason));
    expect(reasons.length).toBeGreaterThan(10);
    expect(firstCells(section('Reasons of a job'))).toEqual(expect.arrayContaining([...new Set(reasons)]));
  });
});
