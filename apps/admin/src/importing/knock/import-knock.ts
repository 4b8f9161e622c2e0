import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { isObject, type RawObject } from '#libs/validation';
import { DefinitionFolder } from '../../files/folder.js';
import { type Definition, type Kind, KINDS } from '../../files/kinds.js';
import { CommandError, type Outcome } from '../../run-command.js';
import { LeftOut, textOf } from '../novu-records.js';
import { ImportReport } from '../report.js';
import { readKnockWorkflow } from './knock-workflow.js';

const MAX_FILE = 1_000_000;

interface KnockLine {
  /** Of Knock's files. */
  readonly from: string;
  /** Of Herald's files. */
  readonly into: string;
  readonly isDryRun: boolean;
}

/** Turns files that `knock pull` writes into files that `herald push` reads. Nothing is sent anywhere. @throws {CommandError} */
export function importKnock({ from, into, isDryRun }: KnockLine): Outcome {
  const report = new ImportReport();
  const target = new DefinitionFolder(into, 'yaml');
  const present = target.exists() ? target.read(KINDS).files : [];
  const write = (kind: Kind, definition: Definition): void => {
    if (isDryRun) return;
    const [identity = ''] = kind.identity;
    const file = present.find((one) => one.kind === kind && one.definition[identity] === definition[identity]);
    target.writeSchema(kind, undefined);
    target.write(kind, definition, file);
  };
  const found = [...layoutsIn(from), ...workflowsIn(from)];
  if (found.length === 0) {
    throw new CommandError(`${from} has no workflows of Knock. Name the folder that 'knock pull --all' writes.`);
  }
  for (const { kind: name, key, read } of found) {
    const kind = KINDS.find((one) => one.name === name) as Kind;
    const counts = report.of(kind.folder);
    counts.found += 1;
    try {
      const { definition, changes } = read();
      for (const why of changes) report.note(kind.folder, { id: key, outcome: 'changed', why });
      write(kind, definition);
      counts.taken += 1;
    } catch (error) {
      if (!(error instanceof LeftOut)) throw error;
      report.note(kind.folder, { id: key, outcome: 'left out', why: error.message });
    }
  }
  const first = isDryRun
    ? 'This was a dry run: nothing was written.'
    : `Written into ${into}. Look at them, and store them with 'herald push'.`;
  return { text: [first, '', ...report.lines()].join('\n'), data: { dryRun: isDryRun, kinds: report.all } };
}

interface Found {
  readonly kind: 'workflow' | 'layout';
  readonly key: string;
  readonly read: () => { readonly definition: RawObject; readonly changes: readonly string[] };
}

function workflowsIn(from: string): Found[] {
  return foldersWith(from, ['workflows', '.'], 'workflow.json').map(({ key, folder }) => ({
    kind: 'workflow',
    key,
    read: () => readKnockWorkflow(key, jsonIn(folder, 'workflow.json'), (path) => textIn(folder, path)),
  }));
}

function layoutsIn(from: string): Found[] {
  return foldersWith(from, ['layouts', 'email-layouts'], 'layout.json').map(({ key, folder }) => ({
    kind: 'layout',
    key,
    read: () => {
      const layout = jsonIn(folder, 'layout.json');
      const path = textOf(layout['html_layout@']);
      const html = path === undefined ? textOf(layout['html_layout']) : textIn(folder, path);
      const content = html?.replace(/\{\{\s*content\s*\}\}/g, '{{{body}}}');
      if (content?.includes('{{{body}}}') !== true) throw new LeftOut('it has no {{ content }}');
      if (/\{%|\{\{[^{}|]*\|/.test(content))
        throw new LeftOut('it has Liquid, and layouts are Handlebars; write it again');
      return { definition: { identifier: key, name: textOf(layout['name']) ?? key, content }, changes: [] };
    },
  }));
}

function foldersWith(from: string, parents: readonly string[], file: string): { key: string; folder: string }[] {
  return parents.flatMap((parent) => {
    const above = join(from, parent);
    if (!existsSync(above) || !statSync(above).isDirectory()) return [];
    return readdirSync(above, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(join(above, entry.name, file)))
      .map(({ name }) => ({ key: name, folder: join(above, name) }))
      .sort((a, b) => a.key.localeCompare(b.key));
  });
}

function jsonIn(folder: string, path: string): RawObject {
  try {
    const read: unknown = JSON.parse(textIn(folder, path));
    if (isObject(read)) return read;
  } catch (error) {
    if (error instanceof LeftOut) throw error;
  }
  throw new LeftOut(`${path} is not JSON of an object`);
}

/** Of the folder and nothing else: what the files name may come from others. */
function textIn(folder: string, path: string): string {
  const file = join(folder, path);
  if (!existsSync(file)) throw new LeftOut(`the file ${path} is missing`);
  if (!realpathSync(file).startsWith(`${realpathSync(folder)}${sep}`))
    throw new LeftOut(`${path} is outside of its folder`);
  const { size } = statSync(file);
  if (size > MAX_FILE) throw new LeftOut(`the file ${path} is larger than ${MAX_FILE / 1_000_000} MB`);
  return readFileSync(file, 'utf8');
}
