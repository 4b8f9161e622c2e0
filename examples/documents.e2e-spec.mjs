import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { TestHerald } from './test-herald.mjs';

const folderOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const settings = { TICKETS_URL: 'https://tickets.example' };

let folder;
let herald;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'herald-documents-'));
  const plugins = ['plugin-provider', 'plugin-step'].map(folderOf);
  settings.HERALD_PLUGINS = [...plugins, buildResource(folder)].join(',');
  herald = await TestHerald.start(settings);
});
afterAll(async () => {
  await herald?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the OpenAPI document of a Herald with the three plugins', () => {
  it('should have routes, step types and operators', async () => {
    const { body } = await herald.call('GET', '/api-json');
    const { schemas } = body.components;
    expect(Object.keys(body.paths['/v1/announcements'])).toEqual(['post', 'get']);
    expect(schemas.ConditionDto.properties.operator.enum).toContain('STARTS_WITH');
    expect(JSON.stringify(schemas.StepDto)).toContain('CreateTicketTemplateDto');
    expect(JSON.stringify(schemas.StepDefinitionDto)).toContain('CreateTicketTemplateDefinitionDto');
    expect(schemas.CreateTicketTemplateDto.properties.input).toMatchObject({
      'x-herald-plugin': 'herald-plugin-example-step',
      required: ['title'],
      properties: { title: {}, priority: { default: 'low' } },
    });
  });

  it('should be what npm run docs writes with these plugins', async () => {
    const program = fileURLToPath(new URL('../dist/src/bootstrap/openapi.js', import.meta.url));
    const { stdout } = spawnSync(process.execPath, [program], {
      env: settings,
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1e8,
    });
    expect(JSON.parse(stdout)).toEqual((await herald.call('GET', '/openapi.json')).body);
  });
});

describe('the schemas of workflow files of a Herald with plugins', () => {
  let fits;
  beforeAll(async () => {
    fits = new Ajv({ strict: false }).compile((await herald.call('GET', '/schemas/workflow.json')).body);
  });

  const workflow = (template, step = {}) => ({
    identifier: 'late',
    name: 'Late',
    notificationGroup: 'General',
    steps: [{ ...step, template }],
  });
  const ticket = (input) => workflow({ type: 'create-ticket', input });
  const condition = (operator) =>
    workflow(
      { type: 'sms', content: 'x' },
      { filters: [{ children: [{ on: 'payload', field: 'order', operator, value: 'EU-' }] }] },
    );

  it.each([
    ['the least', ticket({ title: 'Late' })],
    ['every member', ticket({ title: 'Order {{order}}', priority: 'high' })],
    ['an expression in place of one of the values', ticket({ title: '{{title}}', priority: '{{priority}}' })],
    ['a long template', ticket({ title: `{{#if vip}}${'x'.repeat(300)}{{/if}}` })],
    ['a member that the plugin does not name', ticket({ title: 'Late', colour: 'red' })],
    ['no input', workflow({ type: 'create-ticket' })],
    ['null as input', ticket(null)],
    ['no title', ticket({ priority: 'low' })],
    ['an empty title', ticket({ title: '' })],
    ['a long title', ticket({ title: 'x'.repeat(201) })],
    ['a number as title', ticket({ title: 1 })],
    ['an unknown priority', ticket({ title: 'Late', priority: 'urgent' })],
    ['null as priority', ticket({ title: 'Late', priority: null })],
    ['the type of no plugin', workflow({ type: 'create-tickt', input: { title: 'Late' } })],
    ['the operator of a plugin', condition('STARTS_WITH')],
    ['the operator of no plugin', condition('ENDS_WITH')],
  ])('should agree with the API about a step with %s', async (_what, body) => {
    const answer = await herald.call('PUT', '/v1/definitions/workflows/late?dryRun=true', body);
    expect([fits(body), answer.status]).toEqual(answer.status === 200 ? [true, 200] : [false, 400]);
  });

  it.each(['layout', 'translation', 'feed', 'notification-group', 'workflow-override'])(
    'should be that of the files for a %s, of which plugins change nothing',
    async (kind) => {
      const file = JSON.parse(readFileSync(new URL(`../schemas/${kind}.json`, import.meta.url), 'utf8'));
      expect((await herald.call('GET', `/schemas/${kind}.json`)).body).toEqual(file);
    },
  );
});

/** Compiles the TypeScript of the resource into a folder of its own. @returns the folder of the package */
function buildResource(to) {
  const require = createRequire(import.meta.url);
  const source = folderOf('plugin-resource');
  const built = join(to, 'plugin-resource');
  cpSync(join(source, 'package.json'), join(built, 'package.json'));
  const options = ['-p', source, '--noCheck', '--outDir', join(built, 'dist')];
  const { status, stdout } = spawnSync(process.execPath, [require.resolve('typescript/bin/tsc'), ...options]);
  if (status !== 0) throw new Error(String(stdout));
  return built;
}
