import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { ROOT } from '../install.mjs';

const read = (path) => readFileSync(join(ROOT, path), 'utf8');

/**
 * Compares what a release consists of with its tag.
 * @param tag `v` and a version
 * @param parts `package`, `client`, `inbox` and `chart` as objects, `python` (pyproject.toml) and `changelog` as text
 * @returns what is wrong, in sentences
 */
export function releaseFaults(tag, { package: main, client, inbox, python, chart, changelog }) {
  const version = tag.replace(/^v/, '');
  if (!/^v\d+\.\d+\.\d+(-[\w.]+)?$/.test(tag))
    return [`'${tag}' is not a tag of a release. Use v and a version, such as v1.2.3.`];
  const found = {
    'package.json': main.version,
    'packages/client/package.json': client.version,
    'packages/inbox/package.json': inbox.version,
    'packages/python/pyproject.toml': pythonVersion(python),
    'version in Chart.yaml': chart.version,
    'appVersion in Chart.yaml': chart.appVersion,
  };
  return [
    ...Object.entries(found)
      .filter(([, other]) => other !== version)
      .map(([where, other]) => `${where} says ${other}, and the tag ${version}.`),
    ...(releaseNote(changelog, version) === undefined
      ? [`CHANGELOG.md has no section [${version}]. Rename Unreleased as docs/releasing.md says.`]
      : []),
  ];
}

/** The version in a pyproject.toml. */
export function pythonVersion(text) {
  return /^version = "(.+)"$/m.exec(text)?.[1];
}

/** The section of a version in CHANGELOG.md without its heading, or undefined if there is none or it is empty. */
export function releaseNote(changelog, version) {
  const heading = `\n## [${version}]`;
  const start = changelog.indexOf(heading);
  if (start < 0) return undefined;
  const [, ...lines] = changelog.slice(start + 1).split('\n');
  const end = lines.findIndex((line) => line.startsWith('## '));
  return (
    lines
      .slice(0, end < 0 ? undefined : end)
      .join('\n')
      .trim() || undefined
  );
}

// node tools/release/version.mjs TAG         exits with 1 and says what is wrong if this tag cannot be released
// node tools/release/version.mjs TAG --note  prints the release note
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [tag = '', option] = process.argv.slice(2);
  const changelog = read('CHANGELOG.md');
  const faults = releaseFaults(tag, {
    package: JSON.parse(read('package.json')),
    client: JSON.parse(read('packages/client/package.json')),
    inbox: JSON.parse(read('packages/inbox/package.json')),
    python: read('packages/python/pyproject.toml'),
    chart: parse(read('ops/helm/herald/Chart.yaml')),
    changelog,
  });
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  else if (option === '--note') console.log(releaseNote(changelog, tag.slice(1)));
}
