import { folderCirclesOf, folderFaults } from './folder-circles.mjs';
import { parse } from './project.mjs';

const project = (files) => Object.entries(files).map(([path, text]) => parse(path, text));
const CIRCLE = {
  'src/zoo/cages/cage.ts': "import type { Food } from '../kitchen/food.js';",
  'src/zoo/kitchen/food.ts': "export const food = () => import('../keepers/keeper.js');",
  'src/zoo/keepers/keeper.ts': "export { cage } from '../cages/cage.js';",
};

describe('folderCirclesOf', () => {
  it('should find a circle over several folders, imports of types included', () => {
    expect(folderCirclesOf(project(CIRCLE))).toEqual([
      {
        folder: 'src/zoo',
        members: ['cages', 'keepers', 'kitchen'],
        imports: [
          'src/zoo/cages/cage.ts -> src/zoo/kitchen/food.ts',
          'src/zoo/keepers/keeper.ts -> src/zoo/cages/cage.ts',
          'src/zoo/kitchen/food.ts -> src/zoo/keepers/keeper.ts',
        ],
      },
    ]);
  });

  it('should find a circle that leads over a file next to the folder', () => {
    const files = {
      'libs/zoo/src/cages/cage.ts': "import { gate } from '../gate.js';",
      'libs/zoo/src/gate.ts': "import { lock } from './cages/lock.js';",
      'libs/zoo/src/cages/lock.ts': '',
    };
    expect(folderCirclesOf(project(files))).toMatchObject([{ folder: 'libs/zoo/src', members: ['cages', 'gate.ts'] }]);
  });

  it('should find a circle of components', () => {
    const files = {
      'apps/zoo/src/cages/cage.tsx': "import { Gate } from '../gate.js';",
      'apps/zoo/src/gate.tsx': "import { Lock } from './cages/lock.js';",
      'apps/zoo/src/cages/lock.tsx': '',
    };
    expect(folderCirclesOf(project(files))).toMatchObject([{ folder: 'apps/zoo/src', members: ['cages', 'gate.tsx'] }]);
  });

  it('should find a circle of folders within a folder', () => {
    const files = {
      'apps/zoo/src/cages/big/cage.ts': "import { cage } from '../small/cage.js';",
      'apps/zoo/src/cages/small/cage.ts': "import { lock } from '../big/lock.js';",
      'apps/zoo/src/cages/big/lock.ts': '',
    };
    expect(folderCirclesOf(project(files))).toMatchObject([
      { folder: 'apps/zoo/src/cages', members: ['big', 'small'] },
    ]);
  });

  it.each([
    [
      'a module file that uses a folder and another that the folder uses',
      {
        'src/zoo/zoo.service.ts': "import { ZooResponse } from './dto/zoo.response.js';",
        'src/zoo/dto/zoo.response.ts': "import type { Zoo } from '../zoo.schema.js';",
        'src/zoo/zoo.schema.ts': '',
      },
    ],
    [
      'two modules, which other rules judge',
      {
        'src/zoo/cages/cage.ts': "import { x } from '../../farm/barn/barn.js';",
        'src/farm/barn/barn.ts': "import { x } from '../../zoo/cages/cage.js';",
      },
    ],
    [
      'tests',
      {
        ...CIRCLE,
        'src/zoo/keepers/keeper.ts': '',
        'src/zoo/keepers/keeper.spec.ts': CIRCLE['src/zoo/keepers/keeper.ts'],
      },
    ],
  ])('should leave alone %s', (_what, files) => {
    expect(folderCirclesOf(project(files))).toEqual([]);
  });
});

describe('folderFaults', () => {
  it('should name the folders and an import for each arrow', () => {
    const [fault] = folderFaults(project(CIRCLE));
    expect(fault).toContain('src/zoo: cages, keepers, kitchen import each other in a circle');
    expect(fault).toContain('src/zoo/cages/cage.ts -> src/zoo/kitchen/food.ts');
  });
});
