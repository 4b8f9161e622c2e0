import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainWords } from '../../apps/console/src/api/plain-words.js';

const SOURCE = 'apps/console/src';
const OPERATIONS = JSON.parse(readFileSync(join(SOURCE, 'access/operations.json'), 'utf8'));
const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8'));
const CALL = /\bapi\.(GET|POST|PUT|PATCH|DELETE)\(\s*'([^']+)'/g;

/** Part of an action that another operation of the same call stands for. */
const WITH_OTHERS = {
  triggerEvent: 'createWorkflow',
  resetUserTotp: 'recoverUser',
  endUserSessions: 'recoverUser',
  exportAuditLog: 'listAuditLog',
};
const sources = readdirSync(SOURCE, { recursive: true })
  .filter((name) => /\.tsx?$/.test(name) && !name.includes('.spec.'))
  .map((name) => readFileSync(join(SOURCE, name), 'utf8'));
const all = sources.join('\n');

describe('the buttons of the console', () => {
  const called = new Set(
    Array.from(all.matchAll(CALL), ([, method, path]) => paths[path]?.[method.toLowerCase()]?.operationId),
  );

  it('should find the calls', () => {
    expect(called.size).toBeGreaterThan(80);
    expect(called.has(undefined)).toBe(false);
  });

  // A reading page that the role may not see says so itself.
  const changing = [...called].filter((id) => id in OPERATIONS && !/^(?:list|get)/.test(id));
  it.each(changing)('should say what they need where they lead to %s', (id) => {
    expect(new RegExp(`['"]${WITH_OTHERS[id] ?? id}['"]`).test(all)).toBe(true);
  });
});

/** What belongs to programs and not on a page. */
const FOR_PROGRAMS = [
  /\b[a-z]\w*(?:\.\w+)*\.\d+\.\w+/,
  /\b(?:GET|POST|PUT|PATCH|DELETE) \/v\d/,
  /\]\(|`/,
  /\b\d{4}-\d\d-\d\dT\d\d:\d\d/,
];

describe('the words of the console', () => {
  const told = new Set();
  const collect = (value) => {
    if (typeof value !== 'object' || value === null) return;
    const { message, statusCode } = value;
    if (statusCode >= 400) for (const text of [message].flat()) if (typeof text === 'string') told.add(text);
    for (const part of Object.values(value)) collect(part);
  };
  collect(JSON.parse(readFileSync('openapi.json', 'utf8')));

  it('should know the errors of the API', () => {
    expect(told.size).toBeGreaterThan(100);
  });

  it.each([...told])('should show without what is for programs: %s', (text) => {
    const shown = plainWords(text);
    expect(shown).not.toBe('');
    for (const pattern of FOR_PROGRAMS) expect(shown).not.toMatch(pattern);
  });

  it('should not send people to a call of the API', () => {
    // Code that is to be copied, and the types of events.
    const texts = sources.map((text) => text.replaceAll(/^import [^;]+;$|\/\*[^]*?\*\/|\/\/[^\n]*/gm, ''));
    expect(texts.filter((text) => /\b(?:GET|POST|PUT|PATCH|DELETE) \/v\d/.test(text))).toEqual([]);
  });
});
