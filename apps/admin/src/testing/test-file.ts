import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { DefinitionText } from '../files/definition-text.js';
import { faultText, type FileFault, TEST_FILE } from '../files/folder.js';

const CHANNELS = ['in_app', 'email', 'sms', 'chat', 'push'] as const;

const record = z.record(z.string(), z.unknown());
const switches = z.partialRecord(z.enum(CHANNELS), z.boolean());

/** A text as a whole, or what it contains. */
const text = z.union([
  z.string(),
  z
    .strictObject({
      contains: z.union([z.string(), z.array(z.string())]).optional(),
      excludes: z.union([z.string(), z.array(z.string())]).optional(),
      matches: z.string().refine(isPattern, 'must be a regular expression').optional(),
    })
    .describe('`contains` and `excludes` take a text or a list, `matches` a regular expression.'),
]);

const texts = {
  subject: text.optional(),
  title: text.optional(),
  content: text.optional().describe('HTML of an email and of an in-app message, text of the others.'),
  text: text.optional().describe('Plain text of an email.'),
  from: text.optional(),
  to: z.union([z.string(), z.array(z.string())]).optional(),
};
const message = z.strictObject({ channel: z.enum(CHANNELS).optional(), ...texts });

const moment = z
  .string()
  .refine((value) => AFTER.test(value) || isDate(value), 'must be a date, or a time after `time` such as +1h or +3d')
  .describe('A date, or a time after `time` of the test: +90s, +30m, +1h, +3d.');

const step = z.strictObject({
  status: z.string().optional().describe('completed, skipped, failed, canceled or queued. Default: completed.'),
  reason: text.optional().describe('Why the step does not send, such as conditions or preferences.'),
  error: text.optional(),
  explanation: text.optional().describe('The title of the explanation.'),
  at: moment.optional().describe('When the step begins.'),
  until: moment.optional().describe('When a delay, digest or wait ends.'),
  variant: z.string().nullable().optional().describe('Name of the variant that is sent; null for none.'),
  messages: z.array(message).optional().describe('All messages of the step, in order.'),
  ...texts,
});

const expectation = z.strictObject({
  status: z.string().optional().describe('What the trigger answers. Default: processed.'),
  reason: text.optional().describe('Why the trigger delivers nothing.'),
  notification: z.string().optional().describe('The status that the notification ends with.'),
  sends: z.array(z.enum(CHANNELS)).optional().describe('The channels of all messages, in order.'),
  steps: z
    .record(z.string(), z.union([z.string(), step]))
    .optional()
    .describe('By the `uuid` of the step: its status, or what is expected of it.'),
});

const subscriber = z.looseObject({
  subscriberId: z.string().optional(),
  preferences: z
    .strictObject({ channels: switches.optional(), workflow: switches.optional() })
    .optional()
    .describe('Channels that the subscriber has switched on or off, in all workflows or in this one.'),
  schedule: record.optional().describe('When messages may be sent, as in the preferences of the inbox.'),
});

const given = {
  workflow: z.string().optional().describe('Identifier of the workflow.'),
  time: z.string().refine(isDate, 'must be a date').optional().describe('When the event is triggered.'),
  subscriber: subscriber.optional().describe('The recipient, with the fields of a subscriber.'),
  tenant: z.union([z.string(), z.looseObject({ identifier: z.string() })]).optional(),
  actor: z.union([z.string(), record]).optional(),
  payload: record.optional(),
  overrides: record.optional(),
  webhooks: z.record(z.string(), z.unknown()).optional().describe('What webhooks of conditions answer, by URL.'),
};

const testCase = z.strictObject({ name: z.string().min(1), ...given, expect: expectation });

const testFile = z.strictObject({ ...given, tests: z.array(testCase).min(1) });

/** JSON Schema (draft 7) of test files, for editors. */
export function testFileSchema(): object {
  const { $schema, properties, ...rest } = z.toJSONSchema(testFile, { target: 'draft-7', io: 'input' });
  // Editors of JSON files find the schema by this member.
  const members = { $schema: { type: 'string' }, ...properties };
  return { $schema, title: 'Herald: workflow test', ...rest, properties: members };
}

export type Expectation = z.infer<typeof expectation>;
export type ExpectedStep = z.infer<typeof step>;
export type ExpectedMessage = z.infer<typeof message>;
export type ExpectedText = z.infer<typeof text>;
type Given = Omit<z.infer<typeof testCase>, 'name' | 'expect'>;

/** A test with what its file gives to all of them. */
export interface WorkflowTest extends Given {
  readonly name: string;
  readonly workflow: string;
  readonly expect: Expectation;
  /** Where it stands in its file. */
  readonly line: number;
  /** The line of a field of the test. @param path with dots */
  lineOf(path: string): number;
}

export interface TestFile {
  /** As it is shown. */
  readonly path: string;
  readonly tests: readonly WorkflowTest[];
}

export const AFTER = /^\+(\d+)(s|m|h|d)$/;

/** The test files of a folder, or those that are named. */
export function findTestFiles(folder: string, named: readonly string[]): string[] {
  if (named.length === 0) return existsSync(folder) ? filesBelow(folder) : [];
  return named.flatMap((path) => (existsSync(path) && statSync(path).isDirectory() ? filesBelow(path) : [path]));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TEST_FILE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** @returns the file, or its faults with their places */
export function readTestFile(path: string): { file?: TestFile; faults: FileFault[] } {
  const shown = shownPath(path);
  if (!existsSync(path)) return { faults: [`${shown}: there is no such file.`] };
  const source = DefinitionText.parse(readFileSync(path, 'utf8'));
  if (source.faults.length > 0) return { faults: source.faults.map((fault) => faultText(shown, fault)) };
  const read = testFile.safeParse(source.definition);
  const at = (where: string, message: string): FileFault => faultText(shown, { ...source.placeOf(where), message });
  if (!read.success) return { faults: read.error.issues.flatMap((issue) => faultsIn(issue, at)) };
  const { tests, ...shared } = read.data;
  const homeless = tests.findIndex(({ workflow = shared.workflow }) => workflow === undefined);
  if (homeless >= 0) return { faults: [at(`tests.${homeless}`, 'workflow is missing: name it here or for the file')] };
  return {
    faults: [],
    file: {
      path: shown,
      tests: tests.map((test, number) => {
        const place = `tests.${number}`;
        return {
          ...shared,
          ...test,
          workflow: test.workflow ?? shared.workflow ?? '',
          line: source.placeOf(place).line,
          lineOf: (field) => source.placeOf(`${place}.${field}`).line,
        };
      }),
    },
  };
}

function faultsIn(issue: z.core.$ZodIssue, at: (where: string, message: string) => FileFault): FileFault[] {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') return [at(path.join('.'), `${path.join('.')}: ${issue.message}`)];
  return issue.keys.map((key) => {
    const where = [...path, key].join('.');
    return at(where, `${where} is not a field of a test. Fix or remove it`);
  });
}

/** Relative to the working folder, if it is in there. */
function shownPath(path: string): string {
  const short = relative('.', path);
  return short.startsWith('..') ? path : short;
}

function isDate(value: string): boolean {
  return !Number.isNaN(Date.parse(value));
}

function isPattern(value: string): boolean {
  try {
    return new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
