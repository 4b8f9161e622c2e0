/** What became of a test. */
export interface TestResult {
  readonly name: string;
  readonly line: number;
  /** Empty: it passed. Each begins with the line of its file, and one that says what differs. */
  readonly faults: readonly TestFault[];
  readonly ms: number;
}

export interface TestFault {
  readonly line: number;
  readonly lines: readonly string[];
}

export interface FileResult {
  readonly path: string;
  readonly tests: readonly TestResult[];
}

export interface Summary {
  readonly passed: number;
  readonly failed: number;
}

export function summaryOf(files: readonly FileResult[]): Summary {
  const all = files.flatMap(({ tests }) => tests);
  const failed = all.filter(({ faults }) => faults.length > 0).length;
  return { passed: all.length - failed, failed };
}

/** For people. */
export function reportLines(files: readonly FileResult[], ms: number): string[] {
  const { passed, failed } = summaryOf(files);
  return [
    ...files.flatMap(({ path, tests }) => [path, ...tests.flatMap((test) => linesOf(path, test))]),
    `${passed} passed, ${failed} failed in ${(ms / 1000).toFixed(1)} s.`,
  ];
}

function linesOf(path: string, { name, faults }: TestResult): string[] {
  return [
    `  ${faults.length === 0 ? 'ok' : 'FAILED'} ${name}`,
    ...faults.flatMap(({ line, lines: [first = '', ...rest] }) => [
      `    ${path}:${line} ${first}`,
      ...rest.map((one) => `      ${one}`),
    ]),
  ];
}

/** The format that CI systems read. */
export function junitReport(files: readonly FileResult[], ms: number): string {
  const { passed, failed } = summaryOf(files);
  const suites = files.flatMap(({ path, tests }) => [
    `  <testsuite name="${escaped(path)}" tests="${tests.length}" failures="${summaryOf([{ path, tests }]).failed}" time="${seconds(
      tests.reduce((sum, test) => sum + test.ms, 0),
    )}">`,
    ...tests.flatMap((test) => caseOf(path, test)),
    '  </testsuite>',
  ]);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="herald test" tests="${passed + failed}" failures="${failed}" time="${seconds(ms)}">`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function caseOf(path: string, { name, line, faults, ms }: TestResult): string[] {
  const open = `    <testcase classname="${escaped(path)}" name="${escaped(name)}" file="${escaped(path)}" line="${line}" time="${seconds(ms)}"`;
  if (faults.length === 0) return [`${open}/>`];
  const text = faults.flatMap((fault) => [`${path}:${fault.line} ${fault.lines.join('\n')}`]).join('\n');
  return [
    `${open}>`,
    `      <failure message="${escaped(faults[0]?.lines[0] ?? '')}">${escaped(text)}</failure>`,
    '    </testcase>',
  ];
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML has no form for most control characters. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\u{fffd}')
    .replace(/[&<>"]/g, (one) => ENTITIES[one] ?? one);
}
