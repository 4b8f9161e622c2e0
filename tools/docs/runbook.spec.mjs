import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from '../build.mjs';
import { readExample } from './env-example.mjs';

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const settings = readExample(read('.env.example')).map(({ key }) => key);
const { paths } = JSON.parse(read('openapi.json'));
const alerts = [...read('ops/prometheus-alerts.yml').matchAll(/alert: (\w+)/g)].map(([, name]) => name);

/** Names of others: signals, commands of Redis, and variables that Node.js and OpenTelemetry define. */
const OF_OTHERS = /^(SIG\w+|P?SUBSCRIBE|PUBLISH|NODE_OPTIONS|OTEL_\w+|NAME)$/;

const textOf = (page) => read(page);
const codeOf = (text) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code);
const unique = (values) => [...new Set(values)];
/** As GitHub makes them. */
const anchorsOf = (text) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** A path of the document that fits, whatever the names of its parameters are. */
function isRoute(method, path) {
  const shape = path.split('?')[0].replace(/\{[^}]+\}/g, '{}');
  return Object.entries(paths).some(
    ([known, operations]) => known.replace(/\{[^}]+\}/g, '{}') === shape && method.toLowerCase() in operations,
  );
}

describe.each(['docs/operations.md', 'docs/scaling.md', 'docs/performance.md'])('%s', (page) => {
  it('should name only settings that exist', () => {
    const named = codeOf(textOf(page)).flatMap(
      (code) => /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)(?:=.*)?$/.exec(code)?.[1] ?? [],
    );
    const known = (name) => settings.includes(name) || OF_OTHERS.test(name) || name.length < 4;
    expect(unique(named).filter((name) => !known(name))).toEqual([]);
  });

  it('should name only routes that exist', () => {
    const named = codeOf(textOf(page)).flatMap((code) => {
      const [, method, path] = /^(GET|POST|PUT|PATCH|DELETE) (\/v1\/\S+)$/.exec(code) ?? [];
      return path === undefined ? [] : [[method, path]];
    });
    expect(named.filter(([method, path]) => !isRoute(method, path))).toEqual([]);
  });

  it('should name only alerts that exist', () => {
    const named = codeOf(textOf(page)).filter((code) => /^Herald[A-Z]\w+$/.test(code));
    expect(unique(named).filter((name) => !alerts.includes(name))).toEqual([]);
  });

  it('should link only to what exists', () => {
    const links = [...textOf(page).matchAll(/\]\(((?!https?:)[^)]+)\)/g)].map(([, link]) => link);
    const broken = unique(links).filter((link) => {
      const [file, anchor] = link.split('#');
      const target = file === '' ? page : relative('.', join(dirname(page), file));
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(textOf(target)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});
