import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { openTestStage } from '../../../src/bootstrap/test-stage.js';
import { runProgram } from '../../../test/support/program.js';
import { RecordingServer } from '../../../test/support/recording-server.js';
import { DefinitionText } from '../src/files/definition-text.js';
import type { Stage } from '../src/testing/stage-client.js';
import { testProgram } from '../src/testing/test-program.js';

const EXAMPLES = 'examples/workflow-tests';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'herald-workflow-tests-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

let shared: Stage;
beforeAll(async () => {
  shared = await openTestStage();
});
afterAll(() => shared.close());
const openShared = (): Promise<Stage> => Promise.resolve({ ...shared, close: () => Promise.resolve() });

/** What the program runs, in this process. */
async function herald(line: string, openStage = openShared) {
  let [out, err] = ['', ''];
  const code = await testProgram(line.split(' '), {
    out: (text) => (out += text),
    err: (text) => (err += text),
    openStage,
  });
  return { code, out, err };
}

const write = (path: string, text: string): void => {
  mkdirSync(join(folder, 'workflows'), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const workflow = (name: string, steps: string): void =>
  write(
    `workflows/${name}.yaml`,
    `identifier: ${name}\nname: ${name}\nnotificationGroup: General\nactive: true\nsteps:\n${steps}`,
  );
const inApp = (content: string): string => `  - uuid: message\n    template: { type: in_app, content: '${content}' }\n`;
const notOpened = (): Promise<Stage> => Promise.reject(new Error('No test can run.'));

describe('herald test', () => {
  it('should pass the tests of the examples, as the built program as well', async () => {
    const { code, out, err } = await runProgram('apps/admin/src/workflow-tests.js', ['--dir', EXAMPLES], {}, '.');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('ok the mail comes after a week, and the reminder a day later');
    expect(out).toMatch(/5 passed, 0 failed in \d+\.\d s\.\n$/);
  });

  it('should show the lines that differ, with the conditions that decided', async () => {
    cpSync(EXAMPLES, folder, { recursive: true });
    const path = 'workflows/order-shipped.test.yaml';
    const before = readFileSync(join(folder, path), 'utf8');
    write(path, before.replace('content: Order 4711 is', 'content: Order 4712 is').replace('total: 80', 'total: 8'));
    const { code, out } = await herald(`--dir ${folder} --only mail`);
    expect(code).toBe(1);
    expect(out).toMatch(
      /order-shipped\.test\.yaml:10 step message: content differs\n {6}- Order 4712 is on its way\.\n {6}\+ Order 4711/,
    );
    expect(out).toMatch(
      /:11 step mail: status differs\n {6}- completed\n {6}\+ skipped\n {8}reason: conditions \(A step/,
    );
    expect(out).toContain('not met: Payload total LARGER_EQUAL 50; it is 8');
    expect(out).toMatch(/1 passed, 3 failed/);
  });

  it('should write reports for programs and for CI', async () => {
    workflow('hello', inApp('Hello {{subscriber.firstName}}'));
    write(
      'workflows/hello.test.yaml',
      `workflow: hello
tests:
  - { name: greets, expect: { steps: { message: { content: Hello Ada } } } }
  - { name: 'greets <badly> & "so"', expect: { steps: { message: { content: Hello Bob } } } }
`,
    );
    const report = join(folder, 'report.xml');
    const { code, out } = await herald(`--dir ${folder} --json --junit ${report}`);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      passed: 1,
      failed: 1,
      files: [
        {
          tests: [
            { name: 'greets', line: 3, faults: [] },
            { line: 4, faults: [{ line: 4, lines: ['step message: content differs', '- Hello Bob', '+ Hello Ada'] }] },
          ],
        },
      ],
    });
    const xml = readFileSync(report, 'utf8');
    expect(xml).toContain('<testsuites name="herald test" tests="2" failures="1"');
    expect(xml).toContain('name="greets &lt;badly&gt; &amp; &quot;so&quot;"');
    expect(xml).toContain('<failure message="step message: content differs">');
  });

  it('should give each test its time, tenant, locale, hours, preferences and answers of webhooks', async () => {
    workflow(
      'everything',
      `  - uuid: hook
    template: { type: in_app, content: 'for {{tenant.name}} in {{subscriber.locale}}' }
    filters: [{ value: AND, children: [{ on: webhook, webhookUrl: 'https://shop.example.com/vip', field: vip, operator: EQUAL, value: 'true' }] }]
  - uuid: mail
    template: { type: email, subject: Hello, contentType: customHtml, content: '<p>Hello</p>' }
  - uuid: chat
    template: { type: chat, content: Hello }
`,
    );
    write(
      'workflows/everything.test.yaml',
      `workflow: everything
tenant: { identifier: acme, name: Acme }
subscriber:
  subscriberId: ada
  email: ada@example.com
  locale: de
  timezone: Europe/Berlin
  schedule: { isEnabled: true, weeklySchedule: { monday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] } } }
  channels: [{ providerId: discord, credentials: { webhookUrl: 'https://discord.example.com/1' } }]
webhooks: { 'https://shop.example.com/vip': { vip: true } }
tests:
  - name: within the hours
    time: 2026-03-02T09:00:00+01:00
    expect: { sends: [in_app, email, chat], steps: { hook: { content: for Acme in de } } }
  - name: outside of them
    time: 2026-03-02T20:00:00+01:00
    expect: { sends: [in_app], steps: { mail: { status: skipped, reason: schedule } } }
  - name: the webhook says no
    time: 2026-03-02T09:00:00+01:00
    webhooks: { 'https://shop.example.com/vip': { vip: false } }
    expect: { sends: [email, chat], steps: { hook: { status: skipped, reason: conditions } } }
  - name: another person afterwards has nothing of the first one
    subscriber: { subscriberId: ada, phone: '+15551230100' }
    tenant: acme
    expect: { steps: { hook: { content: 'for acme in ' }, mail: { status: skipped, reason: no_address }, chat: { status: skipped, reason: no_channel } } }
`,
    );
    const { out, code } = await herald(`--dir ${folder}`);
    expect([code, out]).toEqual([0, expect.stringContaining('4 passed, 0 failed')]);
  });

  it('should test a workflow in Liquid, with values that are missing and places of faults', async () => {
    const liquid = (content: string): void =>
      write(
        'workflows/liquid.yaml',
        `identifier: liquid
name: Liquid
notificationGroup: General
active: true
templateLanguage: liquid
missingValues: stop
steps:
  - uuid: message
    template: { type: in_app, subject: '{{ items | pluralize: "thing", "things" }}', content: '${content}' }
  - uuid: mail
    template: { type: email, subject: 'Hi {{ subscriber.firstName }}', contentType: customHtml, content: '<p>{{ payload.note }}</p>' }
    filters: [{ value: AND, children: [{ on: payload, field: vip, operator: EQUAL, value: '{{payload.wanted}}' }] }]
`,
      );
    liquid('{% for one in payload.items %}{{ one.name | upcase }} {% endfor %}for {{ payload.name }}');
    write(
      'workflows/liquid.test.yaml',
      `workflow: liquid
payload: { items: [{ name: pen }, { name: ink }], name: Ada, note: '<b>', vip: yes, wanted: yes }
tests:
  - name: renders
    expect: { sends: [in_app, email], steps: { message: { subject: 2 things, content: PEN INK for Ada }, mail: { subject: Hi Ada, content: { contains: '&lt;b&gt;' } } } }
  - name: stops without a value
    payload: { items: [], vip: no, wanted: yes }
    expect: { sends: [], steps: { mail: { status: skipped, reason: conditions } } }
`,
    );
    const { code, out, err } = await herald(`--dir ${folder}`);
    expect([code, out, err]).toEqual([0, expect.stringContaining('2 passed, 0 failed'), '']);
    liquid('{% for one in %}');
    const faulty = await herald(`--dir ${folder}`);
    expect(faulty).toMatchObject({ code: 3, out: '' });
    expect(faulty.err).toMatch(/workflows\/liquid\.yaml:9:\d+ steps\.0\.template\.content is not a valid template/);
  });

  it('should reach nobody', async () => {
    const server = new RecordingServer();
    await server.listen();
    try {
      workflow(
        'asks',
        `  - uuid: message
    template: { type: in_app, content: Hello }
    filters: [{ value: AND, children: [{ on: webhook, webhookUrl: '${server.url}/vip', field: vip, operator: EQUAL, value: 'true' }] }]
`,
      );
      write(
        'workflows/asks.test.yaml',
        'workflow: asks\ntests: [{ name: a, expect: { steps: { message: queued } } }]\n',
      );
      expect(await herald(`--dir ${folder}`)).toMatchObject({ code: 0 });
      expect(server.requests).toEqual([]);
    } finally {
      server.close();
    }
  });

  it('should say where a test or a workflow has a fault, before anything runs', async () => {
    workflow('hello', inApp('Hello'));
    write(
      'workflows/hello.test.yaml',
      'tests:\n  - name: a\n    expect:\n      step: {}\n    time: soon\n  - { name: b, workflow: hello, expect: { steps: { message: { content: { matches: "(" } } } } }\n',
    );
    const { code, err } = await herald(`--dir ${folder}`, notOpened);
    expect(code).toBe(3);
    expect(err).toContain('hello.test.yaml:4:7 tests.0.expect.step is not a field of a test. Fix or remove it\n');
    expect(err).toContain('hello.test.yaml:5:5 tests.0.time: must be a date\n');
    expect(err).toMatch(/hello\.test\.yaml:6:\d+ tests\.1\.expect\.steps\.message/);

    write('workflows/hello.test.yaml', 'workflow: hello\ntests: [{ name: a, expect: {} }]\n');
    workflow('hello', '  - uuid: message\n    template: { type: in_app, contnt: Hello }\n');
    const faulty = await herald(`--dir ${folder}`);
    expect(faulty).toMatchObject({ code: 3, out: '' });
    expect(faulty.err).toContain(
      'workflows/hello.yaml:7:31 steps.0.template.contnt is not a field that Herald knows. Did you mean content?\n',
    );
  });

  it('should fail a test of a step, a workflow or a subscriber that does not exist', async () => {
    workflow('hello', inApp('Hello'));
    write(
      'workflows/hello.test.yaml',
      `tests:
  - { name: a, workflow: hello, expect: { steps: { mail: completed } } }
  - { name: b, workflow: goodbye, expect: {} }
  - { name: c, workflow: hello, subscriber: { email: nonsense }, expect: {} }
`,
    );
    const { code, out } = await herald(`--dir ${folder}`);
    expect(code).toBe(1);
    expect(out).toContain('the workflow has no active step mail; it has message');
    expect(out).toContain('no file describes a workflow with the identifier goodbye');
    expect(out).toContain('email must be an email');
  });

  it('should say what is missing where there is nothing to test', async () => {
    expect(await herald(`--dir ${folder}/none`, notOpened)).toMatchObject({
      code: 3,
      err: expect.stringContaining('--dir') as string,
    });
    expect(await herald(`--dir ${folder}`, notOpened)).toMatchObject({
      code: 3,
      err: expect.stringContaining('There are no tests') as string,
    });
    expect(await herald('--help')).toMatchObject({ code: 0, out: expect.stringContaining('--junit FILE') as string });
    expect(await herald('--nonsense')).toMatchObject({ code: 3 });
  });

  it('should test a folder of ten within seconds of computing, beside the start', async () => {
    for (let number = 0; number < 10; number += 1) {
      workflow(`w${number}`, inApp(`Hello ${number}`));
      write(
        `workflows/w${number}.test.yaml`,
        `workflow: w${number}\ntests: [{ name: a, expect: { steps: { message: { content: Hello ${number} } } } }]\n`,
      );
    }
    const before = process.cpuUsage();
    const { code, out } = await herald(`--dir ${folder}`);
    const { user, system } = process.cpuUsage(before);
    expect([code, out]).toEqual([0, expect.stringContaining('10 passed')]);
    expect((user + system) / 1_000_000).toBeLessThan(3);
  });
});

describe('the JSON schema of test files', () => {
  const validate = new Ajv({ strict: false }).compile(
    JSON.parse(readFileSync('schemas/workflow-test.json', 'utf8')) as object,
  );
  const isValid = (text: string): boolean => validate(DefinitionText.parse(text).definition);

  it('should accept the examples, and refuse misspelled fields', () => {
    const files = readdirSync(`${EXAMPLES}/workflows`).filter((name) => name.endsWith('.test.yaml'));
    expect(files.length).toBeGreaterThan(1);
    for (const name of files)
      expect([name, isValid(readFileSync(`${EXAMPLES}/workflows/${name}`, 'utf8'))]).toEqual([name, true]);
    expect(isValid('workflow: a\ntests: [{ name: a, expect: { step: {} } }]')).toBe(false);
    expect(isValid('workflow: a\ntests: []')).toBe(false);
  });
});
