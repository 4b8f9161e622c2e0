import { typeLabel } from '../activity/words.js';
import type { Schemas } from '../api/client.js';
import { share } from '../home/home-words.js';
import { isChannel } from './workflow-words.js';

export type StepFigures = Schemas['StepFiguresResponse'];
type Arm = Schemas['ArmResponse'];

export interface FigureWord {
  readonly name: string;
  readonly value: string;
  /** Its share of the messages. */
  readonly share?: string;
}

/** What became of a step, without what did not happen. */
export function figureWords(figures: StepFigures): FigureWord[] {
  const { type, messages, completed, delivered, seen, clicked, failed, skipped, canceled, waiting } = figures;
  const ofMessages = { Delivered: delivered, Seen: seen, Clicked: clicked };
  const ofRuns = { Failed: failed, Skipped: skipped, Canceled: canceled, Waiting: waiting };
  return [
    wordOf(isChannel(type) ? 'Sent' : 'Done', isChannel(type) ? messages : completed),
    ...Object.entries(ofMessages).map(([name, count]) => ({ ...wordOf(name, count), share: share(count, messages) })),
    ...Object.entries(ofRuns).map(([name, count]) => wordOf(name, count)),
  ].filter(({ value }) => value !== '0');
}

function wordOf(name: string, count: number): FigureWord {
  return { name, value: count.toLocaleString('en') };
}

const ON_CARD = 4;

/** As many as a card has room for; failures are among them. */
export function cardFigures(figures: StepFigures): FigureWord[] {
  const words = figureWords(figures);
  const failed = words.slice(ON_CARD).filter(({ name }) => name === 'Failed');
  return [...words.slice(0, ON_CARD - failed.length), ...failed];
}

const COLUMNS = ['messages', 'delivered', 'seen', 'read', 'clicked'] as const;
const RUNS = ['completed', 'skipped', 'failed', 'canceled', 'waiting'] as const;

/** A line for each step and each arm. */
export function figuresCsv(steps: readonly StepFigures[]): string {
  const heads = ['step', 'type', 'arm', 'notifications', ...RUNS, ...COLUMNS];
  const lines = steps.flatMap((step, at) => [
    [step.name ?? `Step ${at + 1}`, step.type, '', '', ...RUNS.map((one) => step[one]), ...countsOf(step)],
    ...(step.arms ?? []).map((arm) => [
      step.name ?? `Step ${at + 1}`,
      step.type,
      arm.name,
      arm.runs,
      ...RUNS.map(() => ''),
      ...countsOf(arm),
    ]),
  ]);
  return csvOf([heads, ...lines]);
}

/** A step in two versions of a workflow; undefined in the one that lacks it. */
export interface ComparedStep {
  readonly uuid: string;
  readonly name: string;
  readonly type: string;
  readonly figures: readonly [StepFigures | undefined, StepFigures | undefined];
}

/** The steps of the second version in its order, and then those that only the first one has. */
export function comparedSteps(first: readonly StepFigures[], second: readonly StepFigures[]): ComparedStep[] {
  const gone = first.filter(({ uuid }) => !second.some((one) => one.uuid === uuid));
  return [...second, ...gone].map(({ uuid, name, type }) => ({
    uuid,
    name: name ?? typeLabel(type),
    type,
    figures: [first.find((one) => one.uuid === uuid), second.find((one) => one.uuid === uuid)],
  }));
}

/** How much more of the messages than in the first version, in points of per cent. */
export function pointsOf(
  [first, second]: ComparedStep['figures'],
  count: 'delivered' | 'seen' | 'clicked',
): string | undefined {
  if (!first?.messages || !second?.messages) return undefined;
  const points = Math.round(100 * (second[count] / second.messages - first[count] / first.messages));
  return points === 0 ? undefined : `${points > 0 ? '+' : '−'}${Math.abs(points)}`;
}

/** A line for each step, with each count of both versions. */
export function comparedCsv(steps: readonly ComparedStep[], versions: readonly [number, number]): string {
  const counts = [...RUNS, ...COLUMNS];
  const heads = ['step', 'type', ...counts.flatMap((name) => versions.map((version) => `${name} v${version}`))];
  const lines = steps.map(({ name, type, figures }) => [
    name,
    type,
    ...counts.flatMap((count) => figures.map((one) => one?.[count] ?? '')),
  ]);
  return csvOf([heads, ...lines]);
}

function csvOf(lines: readonly (readonly (string | number)[])[]): string {
  return lines.map((line) => line.map(quoted).join(',')).join('\r\n');
}

function countsOf(figures: StepFigures | Arm): number[] {
  return COLUMNS.map((one) => figures[one]);
}

/** A text that begins like a formula stays a text in a spreadsheet. */
function quoted(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
