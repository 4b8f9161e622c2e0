import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from '../checks/project.mjs';
import { exampleFaults, readExample } from './env-example.mjs';
import { errorCodesOf, errorTable } from './error-codes.mjs';
import { replaceBetween, settingsTable } from './tables.mjs';
import { textsIn } from './texts.mjs';

const EXAMPLE =
  '# Head of the file.\n\n# Port to listen on.\nPORT=3000\n\n# Expert: Where the store is.\n# It may be remote.\n# URI=x://y\n';

describe('readExample', () => {
  it('should read meaning, value and whether the value is the default', () => {
    expect(readExample(EXAMPLE)).toEqual([
      { key: 'PORT', value: '3000', isDefault: true, isExpert: false, meaning: 'Port to listen on.' },
      {
        key: 'URI',
        value: 'x://y',
        isDefault: false,
        isExpert: true,
        meaning: 'Where the store is. It may be remote.',
      },
    ]);
  });

  it('should mark what few installations change, so that the others are at most fifty', () => {
    const entries = readExample(readFileSync('.env.example', 'utf8'));
    expect(entries.filter(({ isExpert }) => !isExpert).length).toBeLessThanOrEqual(50);
  });
});

describe('exampleFaults', () => {
  const load = (env) => ({ get: (key) => (key === 'PORT' ? Number(env.PORT ?? 3000) : env[key]) });

  it('should accept an example that agrees with the settings', () => {
    expect(exampleFaults(readExample(EXAMPLE), ['PORT', 'URI'], load)).toEqual([]);
  });

  it.each([
    ['a missing setting', EXAMPLE, ['PORT', 'URI', 'HOST'], 'HOST is missing'],
    ['an unknown setting', EXAMPLE, ['PORT'], 'URI is no setting'],
    ['another order', EXAMPLE, ['URI', 'PORT'], 'out of the order'],
    ['a setting without meaning', EXAMPLE.replace('# Port to listen on.\n', ''), ['PORT', 'URI'], 'no meaning'],
    ['another default', EXAMPLE.replace('3000', '80'), ['PORT', 'URI'], 'the default is 3000'],
    ['an example of a setting with a default', EXAMPLE.replace('PORT', '# PORT'), ['PORT', 'URI'], 'has a default'],
  ])('should report %s', (_case, text, keys, fault) => {
    expect(exampleFaults(readExample(text), keys, load)).toEqual([expect.stringContaining(fault)]);
  });
});

describe('settingsTable', () => {
  it('should show what is unset', () => {
    expect(settingsTable(readExample(EXAMPLE))).toContain('| `URI` | unset | Where the store is. It may be remote. |');
  });
});

describe('errorCodesOf', () => {
  it('should find codes of defined errors, of thrown ones and of tables', () => {
    const text = `
      const A = defineError(404, 'a_not_found', (id: Id) => \`No '\${id}' | \${id.x()}\`);
      const D = defineError(409, 'd_busy', 'Busy.', { retryAfterSeconds: 1 });
      const E = defineError(422, 'e_wrong', (faults: string[], _cause: unknown) => [...faults], (_faults, cause) => ({ cause }));
      throw new AppException(409, 'b_clash', 'Clash.');
      const CODES = { 413: 'too_large' };
      function f() { const message = 'Away.'; return { status: 503, code: 'away', message }; }`;
    expect(
      errorCodesOf([parse('src/x/x.errors.ts', text)]).map(({ code, status, text: t }) => [code, status, t]),
    ).toEqual([
      ['a_not_found', 404, "No '{id}' | {…}"],
      ['away', 503, 'Away.'],
      ['b_clash', 409, 'Clash.'],
      ['d_busy', 409, 'Busy.'],
      ['e_wrong', 422, '{faults}'],
      ['too_large', 413, 'Payload Too Large'],
    ]);
  });

  it('should keep cells whole', () => {
    expect(errorTable([{ code: 'x', status: 400, text: 'a | b <c>' }])).toContain('| `x` | 400 | a \\| b &lt;c> |');
  });
});

describe('replaceBetween', () => {
  it('should replace what stands between the markers only', () => {
    expect(replaceBetween('a <!-- t -->old<!-- /t --> b', 't', 'new', 'f.md')).toBe(
      'a <!-- t -->\n\nnew\n\n<!-- /t --> b',
    );
  });

  it('should fail where the markers are missing', () => {
    expect(() => replaceBetween('a', 't', 'new', 'f.md')).toThrow('f.md has no place');
  });
});

describe('the documentation', () => {
  it('should name files of the source code that there are', () => {
    const pages = ['README.md', 'CONTRIBUTING.md', ...textsIn('docs').filter((file) => file.endsWith('.md'))];
    const faults = pages.flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/`((?:src|libs|apps|packages|test|tools|bench)\/[\w./-]+)`/g)]
        .filter(([, path]) => !existsSync(path))
        .map(([, path]) => `${page}: ${path}`),
    );
    expect(faults).toEqual([]);
  });
});

describe('decisions', () => {
  const files = readdirSync('docs/adr').filter((name) => /^\d{4}-/.test(name));
  const numbers = new Set(files.map((name) => Number(name.slice(0, 4))));

  it('should be in the index once, with their title', () => {
    const index = readFileSync('docs/adr/README.md', 'utf8');
    const listed = [...index.matchAll(/^- \[(.+)\]\((\d{4}-.+)\)$/gm)].map(([, title, file]) => ({ file, title }));
    const expected = files.map((file) => ({
      file,
      title: readFileSync(`docs/adr/${file}`, 'utf8').split('\n', 1)[0].slice(2),
    }));
    const sorted = (list) => list.sort((a, b) => a.file.localeCompare(b.file));
    expect(sorted(listed)).toEqual(sorted(expected));
  });

  it('should be there wherever code, tests or documentation name one', () => {
    const faults = textsIn('.').flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const named = [...text.matchAll(/\bADRs? (\d+(?:(?:, and |, | and )\d+)*)/g)]
        .flatMap(([, list]) => list.match(/\d+/g))
        .map((number) => Number(number));
      const linked = [...text.matchAll(/\badr\/(\d{4}-[\w-]+\.md)/g)].map(([, name]) => name);
      return [
        ...named.filter((number) => !numbers.has(number)).map((number) => `${file}: ADR ${number}`),
        ...linked.filter((name) => !files.includes(name)).map((name) => `${file}: ${name}`),
      ];
    });
    expect(faults).toEqual([]);
  });
});
