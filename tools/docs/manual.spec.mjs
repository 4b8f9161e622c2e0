import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { ROOT } from '../build.mjs';
import { fieldsTable, limitsTable } from './manual-tables.mjs';

const FOLDER = 'docs/manual';
const pagesIn = (folder) =>
  readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith('.md') ? [join(folder, name)] : []));
const pages = pagesIn(FOLDER);
const read = (path) => readFileSync(join(ROOT, path), 'utf8');

/** Anchors as GitHub makes them of headings. */
const anchorsOf = (path) =>
  [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
const linksOf = (path) =>
  [...read(path).matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].map(([, target, anchor]) => ({
    target: target === '' ? path : normalize(join(dirname(path), target)),
    anchor,
  }));

describe('docs/manual', () => {
  it.each([...pages, ...pagesIn('docs'), 'README.md', 'CONTRIBUTING.md'])(
    'should lead from %s to pages and headings that exist',
    (path) => {
      const broken = linksOf(path).filter(
        ({ target, anchor }) =>
          !existsSync(join(ROOT, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor)),
      );
      expect(broken).toEqual([]);
    },
  );

  it('should list every page in its index, and be listed in the README', () => {
    const listed = linksOf(join(FOLDER, 'README.md')).map(({ target }) => target);
    expect(listed).toEqual(expect.arrayContaining(pages.filter((path) => !path.endsWith('README.md'))));
    expect(linksOf('README.md').map(({ target }) => target)).toContain(join(FOLDER, 'README.md'));
  });
});

describe('fieldsTable', () => {
  const schemas = {
    Thing: {
      required: ['kind'],
      properties: {
        label: { type: 'string', maxLength: 1000, description: 'Text | shown.' },
        kind: { type: 'string', enum: ['a', 'b'], description: 'Kind.' },
        parts: { type: 'array', maxItems: 5, items: { $ref: '#/components/schemas/Part' } },
        isOn: { type: 'boolean', default: false, description: 'Switch.' },
      },
    },
    Part: { type: 'object' },
  };

  it('should show required fields first, with types, defaults and limits', () => {
    expect(fieldsTable(schemas, 'Thing').split('\n').slice(2)).toEqual([
      '| `kind` | `a`, `b`, required | Kind. |',
      '| `label` | text | Text \\| shown. At most 1,000 characters. |',
      '| `parts` | list of objects | At most 5. |',
      '| `isOn` | boolean | Switch. Default: false. |',
    ]);
  });
});

describe('limitsTable', () => {
  it('should show the value that a constant has in the code', () => {
    const rows = [['Steps', 'src/content/workflows/steps/step.schema.ts', 'MAX_STEPS']];
    const [, value] = /MAX_STEPS = (\d+)/.exec(read('src/content/workflows/steps/step.schema.ts')) ?? [];
    expect(limitsTable(rows)).toContain(`| Steps | ${value} |`);
  });

  it('should fail where the constant is gone', () => {
    const rows = [['Steps', 'src/content/workflows/steps/step.schema.ts', 'NO_SUCH_LIMIT']];
    expect(() => limitsTable(rows)).toThrow('NO_SUCH_LIMIT');
  });
});
