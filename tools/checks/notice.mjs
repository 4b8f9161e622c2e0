import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../build.mjs';
import { installPage } from '../install.mjs';
import { lookUp } from './lockfile.mjs';

/** Licences of what Herald may ship: they ask for their text. MPL-2.0 as well, for packages that stay files of their own. */
const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'Python-2.0',
  'Unlicense',
];
/** Of packages that do not name it as npm expects. */
const NAMED = { busboy: 'MIT', slick: 'MIT', streamsearch: 'MIT', 'xmlhttprequest-ssl': 'MIT' };
/** Whose packages ship: those that run, by workspace, and what is bundled into pages that are made with more packages than they have. */
const WORKSPACES = ['', 'apps/console', 'packages/embedded-mongo'];
const PAGES = ['tools/inbox-demo', 'tools/docs-site'];
const OF_PAGES = {
  'tools/inbox-demo': ['@novu/notification-center', '@novu/react', 'react', 'react-dom'],
  'tools/docs-site': ['minisearch'],
  'node_modules/vitepress': ['vue', '@vueuse/core'],
};
const LICENCE_FILE = /^(?:copying|licen[cs]e)(?:[-.].*)?$/i;
const COPYRIGHT = /^[ \t/*#]*(?:copyright\b|\(c\)|©)/i;
const HEAD = `Herald is licensed under the MIT License; see LICENSE.

What Herald ships contains code of the packages below or installs them, under these licences. This file is made of package-lock.json and of
the licences of the packages by "node tools/checks/notice.mjs --write".
`;

/** The places of all packages that ship. What is for one platform only is in no bundle, and has its licence beside it. */
export function shippedPackages({ packages }) {
  const found = new Set();
  const visit = (path, names) => {
    for (const name of names) {
      const place = lookUp(packages, path, name);
      // Types are no part of what runs.
      if (place === undefined || found.has(place) || name.startsWith('@types/')) continue;
      const { link = false, resolved, optional = false, os, dependencies = {} } = packages[place];
      if (link) visit(resolved, Object.keys(packages[resolved].dependencies ?? {}));
      if (link || optional || os) continue;
      found.add(place);
      visit(place, Object.keys(dependencies));
    }
  };
  for (const path of WORKSPACES) visit(path, Object.keys(packages[path].dependencies ?? {}));
  for (const [path, names] of Object.entries(OF_PAGES)) visit(path, names);
  return [...found].sort();
}

/** Licences that ask for more than their text, or that nobody has looked at. */
export function licenceFaults(lock) {
  return shippedPackages(lock)
    .filter((place) => !ALLOWED.includes(licenceOf(lock, place)))
    .map((place) => `${place}: Herald does not ship packages with the licence '${licenceOf(lock, place)}'.`);
}

const nameOf = (place) => place.split('node_modules/').at(-1);

function licenceOf({ packages }, place) {
  return NAMED[nameOf(place)] ?? packages[place].license ?? '';
}

/** Each licence once, after its packages and whose they are. @param textOf the licence in the folder of a package, if it has one */
export function notice(lock, textOf) {
  const places = shippedPackages(lock);
  const licences = [...new Set(places.map((place) => licenceOf(lock, place)))].sort();
  const sections = licences.map((licence) => {
    const own = places.filter((place) => licenceOf(lock, place) === licence);
    const texts = own.map((place) => textOf(place) ?? '');
    const lines = own.map((place, at) => [nameOf(place), ...copyrightsIn(texts[at])].join('\n    '));
    const [text = ''] = texts.map(withoutCopyrights).filter((one) => one.length > SHORTEST);
    return `${licence}\n\n${[...new Set(lines)].sort().join('\n')}\n\n${text}`.trim();
  });
  return `${[HEAD, ...sections].join(`\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** A file that only names the licence is no text of it. */
const SHORTEST = 400;

function copyrightsIn(text) {
  const lines = text.split('\n').filter((line) => COPYRIGHT.test(line) && /\d{4}|\bby\b|@/.test(line));
  return [...new Set(lines.map((line) => line.replace(/^[ \t/*#]+/, '').trim()))];
}

function withoutCopyrights(text) {
  return text
    .split('\n')
    .filter((line) => !COPYRIGHT.test(line))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The first lines that only one of two texts has. */
function differences(stored, text) {
  const [before, after] = [stored, text].map((one) => new Set(one.split('\n')));
  const gone = [...before].filter((line) => !after.has(line)).map((line) => `- ${line}`);
  const added = [...after].filter((line) => !before.has(line)).map((line) => `+ ${line}`);
  return [...gone.slice(0, 10), ...added.slice(0, 10)].join('\n');
}

function readLicence(place) {
  const folder = join(ROOT, place);
  const files = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const [file] = files
    .filter((one) => one.isFile() && LICENCE_FILE.test(one.name))
    .map(({ name }) => name)
    .sort();
  return (
    file &&
    readFileSync(join(folder, file), 'utf8')
      .replace(/\r/g, '')
      .replace(/[ \t]+$/gm, '')
  );
}

// node tools/checks/notice.mjs [--write]
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // `npm test` installs no packages of pages; a licence is read from the folder of its package.
  for (const folder of PAGES) installPage(folder);
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const file = join(ROOT, 'NOTICE');
  const text = notice(lock, readLicence);
  const faults = licenceFaults(lock);
  if (process.argv.includes('--write')) writeFileSync(file, text);
  else {
    const stored = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (stored !== text)
      faults.push(
        `NOTICE: out of date. Run 'npm ci' and 'node tools/checks/notice.mjs --write'.\n${differences(stored, text)}`,
      );
  }
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  else console.log(`notice: ok, ${shippedPackages(lock).length} packages`);
}
