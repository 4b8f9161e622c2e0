import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { ensureBuilt, ROOT } from '../build.mjs';
import { faultsOf, heraldSettings } from './kubernetes.mjs';

export const CHART = join(ROOT, 'ops', 'helm', 'herald');
const SECRETS = ['MONGODB_URI', 'REDIS_URL', 'STORE_ENCRYPTION_KEY', 'SESSION_SECRET', 'API_KEY'];
/** Values that change what is rendered, as options of `helm template`. */
const VARIANTS = {
  single: [],
  scaled: ['--set=mode=scaled'],
  'with an ingress': ['--set=mode=scaled,ingress.enabled=true,ingress.className=nginx,ingress.tlsSecret=herald-tls'],
  'with a digest and callers': [
    `--set=image.digest=sha256:${'0f'.repeat(32)},networkPolicy.callers[0].podSelector.matchLabels.app=proxy`,
  ],
  'with monitoring, scaled by others': [
    '--set=mode=scaled,monitoring.podMonitor.enabled=true,monitoring.dashboard.enabled=true,worker.autoscaling.enabled=false',
  ],
  'with a migration': ['--set=mode=scaled,migration.enabled=true,existingSecret=other'],
  'without metrics and policy': ['--set=settings.METRICS_PORT=null,networkPolicy.enabled=false'],
};

/**
 * Values that templates name and values.yaml does not have, and brackets that do not pair. Needs no helm.
 * @param templates texts by file
 */
export function templateFaults(templates, values) {
  const has = (path) => path.split('.').reduce((found, key) => found?.[key], values) !== undefined;
  return Object.entries(templates).flatMap(([file, text]) => {
    const named = [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => path);
    const opened = [...text.matchAll(/\{\{-?\s*(if|range|with|define)\b/g)].length;
    const closed = [...text.matchAll(/\{\{-?\s*end\b/g)].length;
    return [
      ...new Set(named.filter((path) => !has(path)).map((path) => `${file}: values.yaml has no ${path}`)),
      ...(opened === closed ? [] : [`${file}: ${opened} blocks begin, and ${closed} end`]),
    ];
  });
}

export function readChart() {
  const folder = join(CHART, 'templates');
  const names = readdirSync(folder);
  return {
    templates: Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')])),
    values: parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')),
  };
}

/** The rendered objects of each variant, or undefined where there is no helm. @throws if the chart cannot be rendered */
export function renderChart(helm = process.env.HELM || 'helm') {
  if (spawnSync(helm, ['version'], { stdio: 'ignore' }).status !== 0) return undefined;
  run(helm, ['lint', '--strict', CHART]);
  return Object.entries(VARIANTS).map(([name, options]) => {
    const text = run(helm, ['template', 'herald', CHART, '--kube-version=1.30.0', ...options]);
    const objects = parseAllDocuments(text)
      .map((one) => one.toJS())
      .filter((object) => object !== null && object !== undefined);
    return { name, objects: objects.map((object) => ({ file: `${name}`, object })) };
  });
}

function run(helm, args) {
  const { status, stdout, stderr } = spawnSync(helm, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`helm ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
}

/** The check of ops/kubernetes does not know values of a chart: a port as text, an ingress. */
export function chartFaults({ objects }, config) {
  const secrets = objects.flatMap(({ object }) =>
    (object.spec?.template?.spec?.containers ?? []).flatMap(({ env = [] }) => env.filter(({ valueFrom }) => valueFrom)),
  );
  return [
    ...faultsOf(
      objects.filter(({ object }) => object.kind !== 'Ingress'),
      config,
    ),
    ...secrets.filter(({ name }) => !SECRETS.includes(name)).map(({ name }) => `no key ${name} in the Secret`),
  ];
}

// node tools/checks/helm.mjs: renders and validates the chart; without helm, its templates are compared with its values only.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureBuilt();
  const { templates, values } = readChart();
  const config = await heraldSettings();
  const rendered = renderChart();
  const unknown = Object.keys(values.settings).filter((name) => !config.settings.includes(name));
  const faults = [
    ...templateFaults(templates, values),
    ...unknown.map((name) => `values.yaml: Herald has no setting ${name}`),
    ...(rendered ?? []).flatMap((variant) => chartFaults(variant, config)),
  ];
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  else if (rendered === undefined) console.log('helm: templates ok; not rendered, because helm is not installed');
  else console.log(`helm: ok, ${rendered.map(({ name, objects }) => `${objects.length} objects ${name}`).join(', ')}`);
}
