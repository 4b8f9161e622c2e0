import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'docs/manual';

/**
 * What a fenced block of the manual is for; it follows the language in the first line of the block.
 *
 * - `start`: the command that starts Herald; its settings apply to the page.
 * - `prelude NAME`: a file that all pages use, or without a name a definition in the shell.
 * - `plugin NAME`: a file of a plugin, which is there before Herald starts.
 * - `run`: executed in order. `eventually`: repeated until what follows is shown.
 * - `client`: of the Python client, whose own tests execute it (`npm run test:python`).
 * - `page`: a page, or a program of one, which the browser test shows (`npm run test:browser`).
 * - `native`: an application for phones, which the test of React Native shows (`npm run test:react-native`).
 * - `answer`: JSON that the example before it prints last, shortened. `output`: its text.
 * - `caught`: what the catcher of mail and chat messages prints.
 * - `data`, `shape`: data for a table, and code that stands in a text; not executed.
 */
const PURPOSES = [
  'start',
  'prelude',
  'plugin',
  'run',
  'eventually',
  'client',
  'page',
  'native',
  'answer',
  'output',
  'caught',
  'data',
  'shape',
] as const;
export type Purpose = (typeof PURPOSES)[number];

export interface Block {
  readonly language: string;
  readonly purpose: Purpose;
  readonly name?: string;
  readonly code: string;
  readonly line: number;
}

export interface Example {
  readonly block: Block;
  /** What the page shows of its result, in this order. */
  readonly shown: readonly Block[];
}

export function manualPages(): string[] {
  return readdirSync(FOLDER).filter((name) => name.endsWith('.md'));
}

function manualText(page: string): string {
  return readFileSync(join(FOLDER, page), 'utf8');
}

/** The fenced blocks of a page. @throws {Error} for a block whose purpose the page does not say */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let open: { head: string; line: number; code: string[] } | undefined;
  for (const [index, text] of manualText(page).split('\n').entries()) {
    if (!text.trimStart().startsWith('```')) open?.code.push(text);
    else if (open === undefined) open = { head: text.trim().slice(3), line: index + 1, code: [] };
    else {
      const block = readBlock(page, open);
      if (block) blocks.push(block);
      open = undefined;
    }
  }
  return blocks;
}

function readBlock(
  page: string,
  { head, line, code }: { head: string; line: number; code: string[] },
): Block | undefined {
  const [language = '', purpose, name] = head.split(' ');
  if (language === 'mermaid') return undefined;
  const known = PURPOSES.find((one) => one === purpose);
  if (known === undefined) throw new Error(`${page}:${line} needs a purpose: one of ${PURPOSES.join(', ')}.`);
  return { language, purpose: known, ...(name !== undefined && { name }), code: code.join('\n'), line };
}

/** The executed blocks of a page in order, each with what the page shows of its result. */
export function examplesOf(page: string): Example[] {
  const examples: { block: Block; shown: Block[] }[] = [];
  for (const block of blocksOf(page)) {
    const { purpose } = block;
    if (purpose === 'run' || purpose === 'eventually') examples.push({ block, shown: [] });
    if (purpose === 'answer' || purpose === 'output' || purpose === 'caught') examples.at(-1)?.shown.push(block);
  }
  return examples;
}

/** Settings that the page gives to `npm start`. */
export function settingsOf(page: string): Record<string, string> {
  const starts = blocksOf(page).filter(({ purpose }) => purpose === 'start');
  const pairs = starts.flatMap(({ code }) => [...code.matchAll(/\b([A-Z][A-Z_]+)=(\S+)/g)]);
  return Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, value]));
}

export interface Row {
  readonly cells: readonly string[];
  readonly line: number;
}

/** Rows of the table under a heading, without its head; code marks are removed. */
export function tableUnder(page: string, heading: string): Row[] {
  const lines = manualText(page).split('\n');
  const start = lines.findIndex((text) => text.startsWith('#') && text.replace(/^#+ /, '') === heading);
  if (start < 0) throw new Error(`${page} has no heading '${heading}'.`);
  const rows: Row[] = [];
  for (const [offset, text] of lines.slice(start + 1).entries()) {
    if (text.startsWith('#')) break;
    if (text.startsWith('|')) rows.push({ cells: cellsOf(text), line: start + offset + 2 });
  }
  return rows.slice(2);
}

function cellsOf(row: string): string[] {
  const cells = row.split(/(?<!\\)\|/).slice(1, -1);
  return cells.map((cell) => {
    const text = cell.trim().replaceAll('\\|', '|');
    return /^`[^`]*`$/.test(text) ? text.slice(1, -1) : text;
  });
}
