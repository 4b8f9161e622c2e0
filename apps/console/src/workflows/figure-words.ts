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
  return [heads, ...lines].map((line) => line.map(quoted).join(',')).join('\r\n');
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
