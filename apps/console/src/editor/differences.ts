import { typeLabel } from '../activity/words.js';
import type { Schemas } from '../api/client.js';
import type { DifferentLine } from '../ui/diff-lines.js';

type Difference = Schemas['WorkflowDifferenceResponse'];
/** Of any kind; only workflows have steps. */
type Definition = Partial<Schemas['WorkflowDefinitionDto']>;

/** A difference as a reader understands it. */
export interface DifferenceWords {
  readonly title: string;
  /** Text before and after, line by line; absent where the title says everything. */
  readonly lines?: readonly DifferentLine[];
}

const NAMES: Readonly<Record<string, string>> = {
  notificationGroup: 'group',
  preferenceSettings: 'preferences',
  shouldStopOnFail: 'stop on failure',
  branch: 'arm',
  filters: 'conditions',
  metadata: 'time settings',
  template: 'content',
  in_app: 'in-app',
  sms: 'SMS',
  senderName: 'sender name',
  contentType: 'content type',
  identifier: 'trigger identifier',
};

/**
 * @param definitions of both versions: steps are named by what they are in one of them
 * @param showsSteps whether the content of new and removed steps is shown as well
 */
export function differenceWords(
  differences: readonly Difference[],
  definitions: readonly Definition[],
  showsSteps = false,
): DifferenceWords[] {
  const titles = new Map(definitions.flatMap(titlesOf).reverse());
  return differences.map(({ path, kind, before, after }) => {
    const place = placeOf(path, titles);
    if (kind === 'moved') return { title: `${capital(place)}: new order: ${listOf(after, titles)}` };
    const isStep = path.at(-2) === 'steps' || path.at(-2) === 'variants';
    if (isStep && !showsSteps) return { title: `${capital(place)} ${kind}` };
    return { title: `${capital(place)} ${kind}`, lines: linesOf(textOf(before), textOf(after)) };
  });
}

function titlesOf({ steps = [] }: Definition): [string, string][] {
  return steps.flatMap((step, at): [string, string][] => [
    [step.uuid ?? '', `step ${at + 1} (${step.name ?? typeLabel(step.template.type)})`],
    ...(step.variants ?? []).map((variant, place): [string, string] => [
      variant.uuid ?? '',
      `variant “${variant.name ?? place + 1}”`,
    ]),
  ]);
}

function placeOf(path: readonly string[], titles: ReadonlyMap<string, string>): string {
  const words = path.flatMap((name, at) => {
    const isEntry = path[at - 1] === 'steps' || path[at - 1] === 'variants';
    if (isEntry) return [titles.get(name) ?? `step ${name}`];
    const isLast = at === path.length - 1;
    if ((name === 'steps' || name === 'variants' || name === 'template') && !isLast) return [];
    return [NAMES[name] ?? name];
  });
  return words.join(', ');
}

function listOf(value: unknown, titles: ReadonlyMap<string, string>): string {
  return Array.isArray(value) ? value.map((name) => titles.get(String(name)) ?? String(name)).join(', ') : '';
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}

const MAX_LINES = 2_000;
/** Equal lines that are shown around a difference. */
const AROUND = 2;

/** The lines of two texts, with those that only one of them has marked, and long equal parts left out. */
export function linesOf(before: string, after: string): DifferentLine[] {
  const [former, latter] = [splitted(before), splitted(after)];
  let start = 0;
  while (start < former.length && start < latter.length && former[start] === latter[start]) start += 1;
  let end = 0;
  while (
    end < former.length - start &&
    end < latter.length - start &&
    former[former.length - 1 - end] === latter[latter.length - 1 - end]
  )
    end += 1;
  const middle = compared(former.slice(start, former.length - end), latter.slice(start, latter.length - end));
  const same = (texts: readonly string[]): DifferentLine[] => texts.map((text) => ({ kind: 'same', text }));
  const all = [...same(former.slice(0, start)), ...middle, ...same(former.slice(former.length - end))];
  return shortened(all);
}

const splitted = (text: string): string[] => (text === '' ? [] : text.split('\n').slice(0, MAX_LINES));

/** The longest common subsequence; for long texts, all lines of the one and then all of the other. */
function compared(former: readonly string[], latter: readonly string[]): DifferentLine[] {
  const removed = former.map((text): DifferentLine => ({ kind: 'removed', text }));
  const added = latter.map((text): DifferentLine => ({ kind: 'added', text }));
  if (former.length * latter.length > 250_000) return [...removed, ...added];
  const lengths = Array.from({ length: former.length + 1 }, () => new Uint16Array(latter.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = former.length - 1; i >= 0; i--) {
    for (let j = latter.length - 1; j >= 0; j--) {
      const row = lengths[i];
      if (row) row[j] = former[i] === latter[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DifferentLine[] = [];
  let [i, j] = [0, 0];
  while (i < former.length && j < latter.length) {
    if (former[i] === latter[j]) {
      lines.push({ kind: 'same', text: former[i] ?? '' });
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) lines.push(...removed.slice(i, ++i));
    else lines.push(...added.slice(j, ++j));
  }
  return [...lines, ...removed.slice(i), ...added.slice(j)];
}

function shortened(lines: readonly DifferentLine[]): DifferentLine[] {
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ kind }) => kind !== 'same');
  const shown: DifferentLine[] = [];
  let isLeftOut = false;
  for (const [at, line] of lines.entries()) {
    if (isNear(at)) shown.push(line);
    else if (!isLeftOut) shown.push({ kind: 'same', text: '…' });
    isLeftOut = !isNear(at);
  }
  return shown;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
