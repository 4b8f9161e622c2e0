import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../build.mjs';
import { projectCopy } from './generated-copy.mjs';

const JEST = join(ROOT, 'node_modules/jest/bin/jest.js');
const TEST = 'test/subscribers/profile-fields.e2e-spec.ts';
const CLASS = 'export class SubscriberProfileDto {\n';
const PRONOUNS = `
  @profile.declared({ kind: 'text', description: 'Pronouns.', example: 'they/them', label: 'Pronouns' })
  pronouns?: string | null;
`;

describe('a new field of subscribers', () => {
  let folder;
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('should be everywhere once it is declared', () => {
    folder = projectCopy();
    const file = join(folder, 'src/audience/subscribers/profile.ts');
    const source = readFileSync(file, 'utf8');
    expect(source).toContain(CLASS);
    writeFileSync(file, source.replace(CLASS, `${CLASS}${PRONOUNS}`));
    const { status, stderr } = spawnSync(process.execPath, [JEST, '--verbose', TEST], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
    expect(stderr).toContain('should know pronouns');
  });
});
