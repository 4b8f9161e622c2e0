import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AppConfig } from '#libs/config';
import { dataOf } from '../../../test/support/answers.js';
import { useHerald, useSession } from '../../../test/support/herald.js';
import { DefinitionFolder } from '../src/files/folder.js';
import { KINDS } from '../src/files/kinds.js';
import { importProgram } from '../src/importing/import-program.js';

const api = useHerald();
const session = useSession(api);
const config = AppConfig.from({});

/** As `knock pull` writes them. */
const FILES: Readonly<Record<string, object | string>> = {
  'layouts/default/layout.json': { name: 'Default', 'html_layout@': 'html_layout.html' },
  'layouts/default/html_layout.html': '<main>{{ content }}</main>',
  'layouts/liquid/layout.json': { name: 'Liquid', html_layout: '{% if a %}{{ content }}{% endif %}' },
  'workflows/new-comment/workflow.json': {
    name: 'New comment',
    categories: ['comments'],
    steps: [
      {
        type: 'batch',
        ref: 'batch_1',
        settings: { batch_key: 'data.page.id', batch_window: { unit: 'minutes', value: 5 } },
      },
      {
        type: 'channel',
        ref: 'in_app_feed_1',
        channel_key: 'knock-feed',
        template: { 'text_body@': 'in_app_feed_1/text_body.txt', action_url: '/pages/{{ data.page.id }}' },
      },
      {
        type: 'email',
        ref: 'email_1',
        template: {
          settings: { layout_key: 'default' },
          subject: '{{ total_activities }} comments',
          'html_body@': 'email_1/html_body.html',
        },
        conditions: { all: [{ variable: 'recipient.plan', operator: 'equal_to', argument: 'pro' }] },
      },
      { type: 'delay', ref: 'delay_1', settings: { delay_for: { unit: 'hours', value: 2 } } },
      {
        type: 'throttle',
        ref: 'throttle_1',
        settings: { throttle_limit: 2, throttle_window: { unit: 'days', value: 1 } },
      },
      { type: 'channel', ref: 'sms_1', channel_key: 'twilio', template: { text_body: 'Hi {{ recipient.nickname }}' } },
    ],
    __readonly: { active: true },
  },
  'workflows/new-comment/in_app_feed_1/text_body.txt': '{% for one in activities %}{{ one.text }}{% endfor %}',
  'workflows/new-comment/email_1/html_body.html':
    '<p>Hi {{ recipient.email | default: "you" }}, see {{ data.page.name }}</p>',
  'workflows/lacking/workflow.json': {
    name: 'Lacking',
    steps: [
      {
        type: 'sms',
        ref: 'sms_1',
        template: { text_body: 'Hi {{ recipient.name }} of {{ vars.app_name }}' },
        conditions: { any: [{ variable: 'refs.email_1.engagement_status', operator: 'contains', argument: 'read' }] },
      },
    ],
    __readonly: { active: true },
  },
  'workflows/blocks/workflow.json': {
    name: 'Blocks',
    steps: [{ type: 'email', ref: 'email_1', template: { subject: 'x', 'visual_blocks@': 'email_1/blocks.json' } }],
  },
  'workflows/branches/workflow.json': { name: 'Branches', steps: [{ type: 'branch', ref: 'branch_1', branches: [] }] },
  'workflows/escaping/workflow.json': {
    name: 'Escaping',
    steps: [{ type: 'sms', ref: 'sms_1', template: { 'text_body@': '../../secret.txt' } }],
  },
  'workflows/broken/workflow.json': '{',
  'secret.txt': 'a secret',
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'herald-knock-'));
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const imported = async (...more: string[]) =>
  importProgram(['knock', folder, '--dir', join(folder, 'herald'), '--json', ...more], config);
const filesOf = () => new DefinitionFolder(join(folder, 'herald'), 'yaml').read(KINDS);

describe('herald import knock', () => {
  it('should say in a dry run what fits and what does not, and write nothing', async () => {
    const { data } = await imported('--dry-run');
    const kinds = data['kinds'] as {
      kind: string;
      found: number;
      taken: number;
      notes: { id: string; why: string }[];
    }[];
    expect(kinds.map(({ kind, found, taken }) => [kind, found, taken])).toEqual([
      ['layouts', 2, 1],
      ['workflows', 6, 2],
    ]);
    expect(kinds.flatMap(({ notes }) => notes.map(({ id, why }) => `${id}: ${why}`)).sort()).toEqual([
      'blocks: steps.0 is a mail of blocks; write it again in HTML',
      "branches: steps.0 is of the type 'branch', which is not taken over",
      'broken: workflow.json is not JSON of an object',
      'escaping: ../../secret.txt is outside of its folder',
      'lacking: it is inactive until you have looked at it',
      'lacking: steps.0 has a condition that conditions of Herald cannot say, which was left out',
      "lacking: steps.0.text_body reads 'subscriber.name', which Herald does not have",
      "lacking: steps.0.text_body reads 'vars', which Herald does not have",
      'liquid: it has Liquid, and layouts are Handlebars; write it again',
    ]);
    expect(filesOf().files).toEqual([]);
  });

  it('should write files that Herald stores as they are, twice', async () => {
    await imported();
    const first = filesOf();
    await imported();
    expect(filesOf().files.map(({ path }) => path)).toEqual(first.files.map(({ path }) => path));
    expect(first.faults).toEqual([]);
    for (const { kind, definition } of first.files) {
      const name = String(definition['identifier']);
      await session.put(`/v1/definitions/${kind.folder}/${name}`, definition).expect(200);
    }
    expect(await dataOf(session.get('/v1/workflows/new-comment'), 200)).toMatchObject({
      name: 'New comment',
      active: true,
      tags: ['comments'],
      templateLanguage: 'liquid',
      steps: [
        {
          stepId: 'batch_1',
          template: { type: 'digest' },
          metadata: { amount: 5, unit: 'minutes', digestKey: 'page.id' },
        },
        {
          template: {
            type: 'in_app',
            content: '{% for one in step.events %}{{ one.text }}{% endfor %}',
            cta: { data: { url: '/pages/{{ payload.page.id }}' } },
          },
        },
        {
          template: {
            type: 'email',
            subject: '{{ step.total_count }} comments',
            content: '<p>Hi {{ subscriber.email | default: "you" }}, see {{ payload.page.name }}</p>',
            _layoutId: expect.any(String) as string,
          },
          filters: [{ children: [{ on: 'subscriber', field: 'data.plan', operator: 'EQUAL', value: 'pro' }] }],
        },
        { template: { type: 'delay' }, metadata: { amount: 2, unit: 'hours' } },
        { template: { type: 'throttle' }, metadata: { threshold: 2, amount: 1, unit: 'days' } },
        { template: { type: 'sms', content: 'Hi {{ subscriber.data.nickname }}' } },
      ],
    });
    expect(await dataOf(session.get('/v1/workflows/lacking'), 200)).toMatchObject({ active: false });
  });

  it('should refuse a folder without files of Knock', async () => {
    rmSync(join(folder, 'workflows'), { recursive: true });
    rmSync(join(folder, 'layouts'), { recursive: true });
    await expect(imported()).rejects.toThrow("Name the folder that 'knock pull --all' writes");
  });
});
