import { lineDiff } from '../files/line-diff.js';
import type { DryRunAnswer, DryRunMessage, DryRunStep } from './dry-run-answer.js';
import { AFTER, type ExpectedMessage, type ExpectedStep, type ExpectedText, type WorkflowTest } from './test-file.js';

/** What differs, with the field of the test that says otherwise. */
export interface Difference {
  /** With dots. */
  readonly path: string;
  /** The first line says what differs; the others show it. */
  readonly lines: readonly string[];
}

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const TEXT_FIELDS = ['subject', 'title', 'content', 'text', 'from'] as const;

/** Where a dry run differs from what a test expects. @param time of the event */
export function compare({ expect }: WorkflowTest, answer: DryRunAnswer, time: Date): Difference[] {
  const { status = 'processed', reason, notification, sends, steps = {} } = expect;
  const [recipient] = answer.recipients;
  const found = recipient?.steps ?? [];
  const differences = [
    ...differing('expect.status', 'status of the trigger', status, answer.status, whyRefused(answer)),
    ...ofText('expect.reason', 'reason', reason, answer.reason),
  ];
  // Nothing else is to be said of an event that the trigger refuses.
  if (differences.length > 0 || recipient === undefined) return differences;
  const sent = found.flatMap(({ messages }) => messages.map(({ channel }) => channel));
  return [
    ...differing('expect.notification', 'status of the notification', notification, recipient.status),
    ...(sends === undefined ? [] : differing('expect.sends', 'list of channels', sends.join(', '), sent.join(', '))),
    ...Object.entries(steps).flatMap(([uuid, expected]) => {
      const own = found.find((one) => one.uuid === uuid);
      return own === undefined ? [unknownStep(uuid, found)] : ofStep(uuid, expected, own, time);
    }),
  ];
}

function ofStep(uuid: string, expected: string | ExpectedStep, found: DryRunStep, time: Date): Difference[] {
  const path = `expect.steps.${uuid}`;
  const wanted: ExpectedStep = typeof expected === 'string' ? { status: expected } : expected;
  const { status = 'completed', reason, error, explanation, at, until, variant, messages, ...message } = wanted;
  const ended = differing(statusPath(path, expected), `step ${uuid}: status`, status, found.status, whyEnded(found));
  const timed = (field: string, own: string | undefined, actual: string | undefined): Difference[] =>
    differing(`${path}.${field}`, `step ${uuid}: ${field}`, own && momentOf(own, time), actual);
  const others = [
    ...ofText(`${path}.reason`, `step ${uuid}: reason`, reason, found.reason),
    ...ofText(`${path}.error`, `step ${uuid}: error`, error, found.error),
    ...ofText(`${path}.explanation`, `step ${uuid}: explanation`, explanation, found.explanation?.title),
    ...timed('at', at, found.at),
    ...timed('until', until, found.until),
    ...(variant === undefined
      ? []
      : differing(`${path}.variant`, `step ${uuid}: variant`, variant ?? 'none', variantOf(found))),
    ...ofMessages(path, uuid, messages ?? (Object.keys(message).length > 0 ? [message] : undefined), found, {
      areAll: messages !== undefined,
    }),
  ];
  // The texts of a step that was not sent are missing for the reason that the status gives.
  return ended.length > 0 && found.messages.length === 0 ? ended : [...ended, ...others];
}

function ofMessages(
  path: string,
  uuid: string,
  wanted: readonly ExpectedMessage[] | undefined,
  { messages }: DryRunStep,
  { areAll }: { readonly areAll: boolean },
): Difference[] {
  if (wanted === undefined) return [];
  const where = (at: number): string => (areAll ? `${path}.messages.${at}` : path);
  const title = (at: number, field: string): string =>
    `step ${uuid}: ${field}${wanted.length > 1 ? ` of message ${at + 1}` : ''}`;
  return [
    ...(areAll
      ? differing(`${path}.messages`, `step ${uuid}: number of messages`, `${wanted.length}`, `${messages.length}`)
      : []),
    ...wanted.flatMap((expected, at) => {
      const found = messages[at];
      if (found === undefined) return areAll ? [] : [{ path, lines: [`step ${uuid} sends no message`] }];
      return ofMessage(expected, found, (field) => [`${where(at)}.${field}`, title(at, field)]);
    }),
  ];
}

function ofMessage(
  expected: ExpectedMessage,
  found: DryRunMessage,
  name: (field: string) => [path: string, title: string],
): Difference[] {
  const { channel, to } = expected;
  return [
    ...differing(...name('channel'), channel, found.channel),
    ...(to === undefined ? [] : differing(...name('to'), [to].flat().join(', '), found.to?.join(', '))),
    ...TEXT_FIELDS.flatMap((field) => ofText(...name(field), expected[field], found[field])),
  ];
}

function ofText(
  path: string,
  title: string,
  expected: ExpectedText | undefined,
  found: string | undefined,
): Difference[] {
  if (expected === undefined) return [];
  if (typeof expected === 'string') {
    if (expected.trimEnd() === found?.trimEnd()) return [];
    return [{ path, lines: [`${title} differs`, ...lineDiff(expected.trimEnd(), (found ?? 'absent').trimEnd())] }];
  }
  const actual = found ?? '';
  const fault = (what: string): Difference => ({ path, lines: [`${title} ${what}`, ...quoted(found)] });
  const { contains = [], excludes = [], matches } = expected;
  return [
    ...[contains].flat().flatMap((part) => (actual.includes(part) ? [] : [fault(`does not contain '${part}'`)])),
    ...[excludes].flat().flatMap((part) => (actual.includes(part) ? [fault(`contains '${part}'`)] : [])),
    ...(matches === undefined || new RegExp(matches, 'u').test(actual) ? [] : [fault(`does not match ${matches}`)]),
  ];
}

function differing(
  path: string,
  title: string,
  expected: string | undefined,
  found: string | undefined,
  why: readonly string[] = [],
): Difference[] {
  if (expected === undefined || expected === found) return [];
  return [{ path, lines: [`${title} differs`, `- ${expected}`, `+ ${found ?? 'absent'}`, ...why] }];
}

function quoted(found: string | undefined): string[] {
  return found === undefined ? ['  it is absent'] : found.split('\n').map((line) => `  ${line}`);
}

function statusPath(path: string, expected: string | ExpectedStep): string {
  return typeof expected === 'string' || expected.status === undefined ? path : `${path}.status`;
}

function whyRefused({ reason }: DryRunAnswer): string[] {
  return reason === undefined ? [] : [`  ${reason}`];
}

/** In the words of the dry run: the reason, and the conditions with their values. */
function whyEnded({ reason, error, explanation, conditions }: DryRunStep): string[] {
  return [
    ...(reason === undefined ? [] : [`  reason: ${reason}${explanation ? ` (${explanation.title})` : ''}`]),
    ...(error === undefined ? [] : [`  ${error}`]),
    ...(conditions?.conditions ?? []).map(({ filter, field, operator, expected, actual, passed }) => {
      return `  ${passed ? 'met' : 'not met'}: ${filter} ${field} ${operator} ${expected}; it is ${actual}`;
    }),
  ];
}

function unknownStep(uuid: string, found: readonly DryRunStep[]): Difference {
  const names = found.map((one) => one.uuid).join(', ');
  return {
    path: `expect.steps.${uuid}`,
    lines: [`the workflow has no active step ${uuid}; it has ${names === '' ? 'none' : names}`],
  };
}

function variantOf({ variants }: DryRunStep): string {
  return variants.find(({ conditions }) => conditions.passed)?.name ?? 'none';
}

function momentOf(wanted: string, time: Date): string {
  const [, amount, unit] = AFTER.exec(wanted) ?? [];
  if (amount === undefined) return new Date(wanted).toISOString();
  return new Date(time.getTime() + Number(amount) * UNITS[unit as keyof typeof UNITS]).toISOString();
}
