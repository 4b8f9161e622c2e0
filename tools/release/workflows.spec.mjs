import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const FOLDER = join('.github', 'workflows');
const workflows = new Map(readdirSync(FOLDER).map((name) => [name, parse(readFileSync(join(FOLDER, name), 'utf8'))]));
const jobs = [...workflows].flatMap(([name, { jobs: own }]) =>
  Object.entries(own).map(([id, job]) => ({ name, id, job })),
);
const scripts = jobs.flatMap(({ name, id, job }) =>
  job.steps.flatMap(({ run }) => (run === undefined ? [] : [{ name, id, run }])),
);

describe('the workflows', () => {
  it('should give each job a time limit, and no more rights than it needs', () => {
    for (const { job } of jobs) expect(job['timeout-minutes']).toBeGreaterThan(0);
    for (const { permissions } of workflows.values()) expect(permissions).toEqual({ contents: 'read' });
  });

  it('should run what exists', () => {
    const files = scripts.flatMap(({ run }) => run.match(/(?<![\w/])(?:tools|ops|\.ci)\/[\w./-]+/g) ?? []);
    expect(files.length).toBeGreaterThan(4);
    expect(files.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('should run the tests on each supported version of Node', () => {
    const { nodes } = workflows.get('ci.yml').jobs;
    expect(nodes.strategy.matrix.node).toEqual(readFileSync('.ci/node-versions', 'utf8').trim().split('\n'));
    expect(nodes.steps.at(-1)).toEqual({ run: 'npm test' });
  });

  it('should pin each action to a commit, with its version beside it for Dependabot, and need only jobs that there are', () => {
    const actions = jobs.flatMap(({ job }) => job.steps.flatMap(({ uses }) => uses ?? []));
    const lines = [...workflows.keys()].flatMap((name) => readFileSync(join(FOLDER, name), 'utf8').match(/uses: .*/g));
    expect(lines).toHaveLength(actions.length);
    expect(lines.filter((line) => !/^uses: [\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
    for (const { name, job } of jobs) {
      const known = Object.keys(workflows.get(name).jobs);
      expect(known).toEqual(expect.arrayContaining([job.needs ?? []].flat()));
    }
  });

  it('should put no text of others into a script', () => {
    // What GitHub fills in before the shell reads it; versions and owners were checked, and digests come from tools.
    const filled = scripts.flatMap(({ run }) => run.match(/\$\{\{[^}]*\}\}/g) ?? []);
    expect(filled.filter((text) => !/^\$\{\{ steps\.\w+\.outputs\.digest \}\}$/.test(text))).toEqual([]);
  });

  it('should publish the files for Python that were tested, and build none', () => {
    const { check, pypi } = workflows.get('release.yml').jobs;
    const tested = check.steps.findIndex(({ run }) => /^npm run test:python -- --required --out \S+$/.test(run ?? ''));
    const folder = check.steps[tested].run.split(' ').at(-1);
    const [upload] = check.steps.slice(tested + 1);
    expect(upload).toMatchObject({ with: { name: 'python', path: folder, 'if-no-files-found': 'error' } });
    expect(upload.uses).toMatch(/^actions\/upload-artifact@/);
    expect(pypi.steps.filter(({ run }) => run !== undefined)).toEqual([]);
    const [download, publish] = pypi.steps;
    expect(download.with.name).toBe(upload.with.name);
    expect(publish.with['packages-dir']).toBe(download.with.path);
  });

  it('should publish nothing before the tag is checked', () => {
    const { jobs: release } = workflows.get('release.yml');
    for (const [id, { needs }] of Object.entries(release)) {
      if (id !== 'check' && id !== 'note') expect([needs].flat()).toContain('check');
    }
    expect(release.note.needs).toEqual(['npm', 'pypi', 'image', 'chart']);
  });
});
