import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../build.mjs';
import { readExample } from './env-example.mjs';

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const settings = readExample(read('.env.example')).map(({ key }) => key);
const { paths } = JSON.parse(read('openapi.json'));
const alerts = [...read('ops/prometheus-alerts.yml').matchAll(/alert: (\w+)/g)].map(([, name]) => name);

/** Names of others: signals, commands of Redis, and variables that Node.js and OpenTelemetry define. */
const OF_OTHERS = /^(SIG\w+|P?SUBSCRIBE|PUBLISH|NODE_\w+|OTEL_\w+|NAME)$/;

const textOf = (page) => read(page);
const codeOf = (text) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code);
const unique = (values) => [...new Set(values)];
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
});
