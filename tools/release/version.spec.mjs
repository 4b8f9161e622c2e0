import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { pythonVersion, releaseFaults, releaseNote } from './version.mjs';

const CHANGELOG = `# Changelog

## [Unreleased]

## [1.2.3] - 2026-12-01

### Added

- Something.

## [1.2.2] - 2026-11-01

- Else.
`;
const parts = (version) => ({
  package: { version },
  client: { version },
  inbox: { version },
  python: `[project]\nversion = "${version}"\n`,
  chart: { version, appVersion: version },
  changelog: CHANGELOG,
});

describe('the version of a release', () => {
  it('should be that of all its parts', () => {
    expect(releaseFaults('v1.2.3', parts('1.2.3'))).toEqual([]);
    expect(releaseFaults('v1.2.3', { ...parts('1.2.3'), client: { version: '1.2.2' } })).toEqual([
      'packages/client/package.json says 1.2.2, and the tag 1.2.3.',
    ]);
    expect(releaseFaults('v1.2.3', { ...parts('1.2.3'), python: '' })).toEqual([
      'packages/python/pyproject.toml says undefined, and the tag 1.2.3.',
    ]);
  });

  it('should be described in CHANGELOG.md', () => {
    expect(releaseFaults('v1.2.4', parts('1.2.4'))).toEqual([expect.stringContaining('no section [1.2.4]')]);
    expect(releaseNote(CHANGELOG, '1.2.3')).toBe('### Added\n\n- Something.');
    expect(releaseNote(CHANGELOG, '1.2.2')).toBe('- Else.');
    expect(releaseNote(CHANGELOG, 'Unreleased')).toBeUndefined();
  });

  it.each(['1.2.3', 'v1.2', 'vnext', ''])('should not be %j', (tag) => {
    expect(releaseFaults(tag, parts('1.2.3'))).toEqual([expect.stringContaining('is not a tag of a release')]);
  });

  it('should be the same in the files of the repository', () => {
    const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
    const { version } = json('package.json');
    const chart = load(readFileSync('ops/helm/herald/Chart.yaml', 'utf8'));
    const python = pythonVersion(readFileSync('packages/python/pyproject.toml', 'utf8'));
    expect([json('packages/client/package.json').version, python, chart.version, chart.appVersion]).toEqual(
      Array(4).fill(version),
    );
  });
});
