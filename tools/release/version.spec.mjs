import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { textsIn } from '../docs/texts.mjs';
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
    const chart = parse(readFileSync('ops/helm/herald/Chart.yaml', 'utf8'));
    const python = pythonVersion(readFileSync('packages/python/pyproject.toml', 'utf8'));
    expect([json('packages/client/package.json').version, python, chart.version, chart.appVersion]).toEqual(
      Array(4).fill(version),
    );
  });

  it('should be what the documentation and the manifests name', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const named = ['README.md', ...textsIn('docs'), ...textsIn('ops')].flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?:herald(?:-client)?[-:]|Herald |newTag: )(\d+\.\d+\.\d+)/g)].map(
        ([, found]) => ({ file, found }),
      ),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ found }) => found !== version)).toEqual([]);
  });
});

describe('CHANGELOG.md', () => {
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  const versions = changelog.split(/^## /m).slice(1);

  it('should begin with what is unreleased, and describe the version of package.json', () => {
    expect(versions[0]).toMatch(/^\[Unreleased\]\n/);
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(releaseNote(changelog, version)).toBeDefined();
  });

  it('should have each section of a version once', () => {
    for (const text of versions) {
      const sections = [...text.matchAll(/^### (.+)$/gm)].map(([, name]) => name);
      expect(sections).toEqual([...new Set(sections)]);
    }
  });
});
