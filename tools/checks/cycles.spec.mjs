import { checkCycles } from './cycles.mjs';
import { parse } from './project.mjs';

const project = (files) => Object.entries(files).map(([path, text]) => parse(path, text));

describe('checkCycles', () => {
  it('should find a cycle over several files once', () => {
    const faults = checkCycles(
      project({
        'src/a.ts': `import { b } from './b.js';`,
        'src/b.ts': `export * from './c.js';`,
        'src/c.ts': `import './a.js';`,
      }),
    );
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain('src/a.ts -> src/b.ts -> src/c.ts -> src/a.ts');
  });

  it('should find a cycle through the facade of a library', () => {
    const faults = checkCycles(
      project({
        'libs/x/src/index.ts': `export { a } from './a.js';`,
        'libs/x/src/a.ts': `import { b } from '#libs/y';`,
        'libs/y/src/index.ts': `import { a } from '#libs/x';`,
      }),
    );
    expect(faults).toHaveLength(1);
  });

  it('should find a cycle that a dynamic import closes', () => {
    const faults = checkCycles(
      project({ 'src/a.ts': `export const load = () => import('./b.js');`, 'src/b.ts': `import './a.js';` }),
    );
    expect(faults).toHaveLength(1);
  });

  it.each([`import type { B } from './b.js';`, `import { type B } from './b.js';`, `export type { B } from './b.js';`])(
    'should not count %s',
    (line) => {
      expect(checkCycles(project({ 'src/a.ts': line, 'src/b.ts': `import './a.js';` }))).toEqual([]);
    },
  );

  it('should not be misled by comments and texts', () => {
    const text = `// import './b.js'\nexport const s = "import './b.js'";`;
    expect(checkCycles(project({ 'src/a.ts': text, 'src/b.ts': `import './a.js';` }))).toEqual([]);
  });
});
