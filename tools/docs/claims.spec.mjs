import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'docs/manual';
const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8'));
const console = readFileSync('apps/console/src/pages.ts', 'utf8');

/** What Herald has as long as the code does, and how pages name it. */
const HAS = [
  { words: 'dashboard|console|editor', isThere: console.includes("'/workflows/:workflowId/edit'") },
  { words: 'translations?', isThere: '/v1/translations' in paths },
  { words: 'members|people|roles', isThere: '/v1/users' in paths },
  { words: 'promotions?|promote', isThere: '/v1/promotions' in paths },
  { words: 'schedules', isThere: '/v1/schedules' in paths },
  { words: 'webhooks', isThere: '/v1/webhooks' in paths },
  { words: 'audit log', isThere: '/v1/audit-log' in paths },
];
const there = HAS.filter(({ isThere }) => isThere);
/** People and locales may have no translations. */
const denied = there.map(({ words }) => words).filter((words) => words !== 'translations?');
const DENIED = new RegExp(
  `\\b(?:there (?:is|are) no|has no|have no|does not have|lacks|without an?|no) (?:${denied.join('|')})\\b`,
  'i',
);
const LACKING = new RegExp(`\\b(?:${there.map(({ words }) => words).join('|')})\\b`, 'i');

const pages = ['README.md', 'docs/compatibility.md', 'docs/operations.md', 'docs/troubleshooting.md'].concat(
  readdirSync(FOLDER).map((name) => join(FOLDER, name)),
);
const sentencesOf = (page) =>
  readFileSync(page, 'utf8')
    .replaceAll(/```[^]*?```/g, '')
    .split(/\n\s*\n|\n[|-]|[.;](?=\s)/);

describe('what pages say that Herald lacks', () => {
  it('should know what Herald has', () => {
    expect(there.map(({ words }) => words)).toEqual(HAS.map(({ words }) => words));
  });

  it.each(pages.filter((page) => page.endsWith('.md')))('should not be there, in %s', (page) => {
    expect(sentencesOf(page).filter((sentence) => DENIED.test(sentence))).toEqual([]);
  });

  it('should not name what is there in the list for those who move', () => {
    const text = readFileSync(join(FOLDER, 'moving.md'), 'utf8');
    const [, list] = /Herald does not replace these[^\n]*\n\n([^]*?)\n\n/.exec(text) ?? [];
    expect(list).toContain('- ');
    expect(list?.split('\n').filter((line) => LACKING.test(line))).toEqual([]);
  });
});
