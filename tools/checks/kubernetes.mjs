import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { ensureBuilt, ROOT } from '../build.mjs';

/** The longest shutdown besides SHUTDOWN_DRAIN_MS and DELIVERY_TIMEOUT_MS (src/bootstrap/run-process.ts). */
const SHUTDOWN_S = 20;
/** The default of the setting. */
const DELIVERY_TIMEOUT_MS = 15_000;
const WORKLOADS = ['Deployment', 'StatefulSet'];
const WITH_PODS = [...WORKLOADS, 'Job'];
const FOLDER = join(ROOT, 'ops', 'kubernetes');
const SCHEMAS = 'kubernetes-models@5';

/** The objects of a folder, with the files that its kustomization names. */
export function readObjects(folder) {
  const { resources } = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'));
  return resources.flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((one) => ({ file, object: one.toJS() })),
  );
}

/**
 * References that lead nowhere, settings that Herald does not have, and times that do not fit.
 * @param objects of one folder
 * @param config `settings`, the names that there are, and `check`, which throws for values that are not valid
 * @param beside objects of another folder that these are applied beside
 */
export function faultsOf(objects, config, beside = []) {
  const workloads = objects.filter(({ object }) => WORKLOADS.includes(object.kind));
  const others = objects.filter(({ object }) => !WITH_PODS.includes(object.kind));
  const all = [...objects, ...beside];
  const withPods = objects.filter(({ object }) => WITH_PODS.includes(object.kind));
  const faults = [
    ...withPods.flatMap(({ file, object }) => podFaults(object, all, config).map((fault) => `${file}: ${fault}`)),
    ...workloads.flatMap(({ file, object }) => workloadFaults(object, all).map((fault) => `${file}: ${fault}`)),
    ...others.flatMap(({ file, object }) => referenceFaults(object, workloads).map((fault) => `${file}: ${fault}`)),
  ];
  return faults;
}

/** Of a pod: what it refers to, and its settings. */
function podFaults({ metadata, spec }, objects, { settings, check }) {
  const { containers, serviceAccountName, volumes = [] } = spec.template.spec;
  const has = (kind, name) => objects.some(({ object }) => object.kind === kind && object.metadata.name === name);
  const { faults, expect } = faultList(metadata);
  expect(
    serviceAccountName === undefined || has('ServiceAccount', serviceAccountName),
    `no ServiceAccount ${serviceAccountName}`,
  );
  for (const container of containers) {
    const { env = [], volumeMounts } = container;
    expect(!mapsOf(container, objects).includes(undefined), 'envFrom names a ConfigMap that does not exist');
    const values = valuesOf(container, objects);
    for (const name of Object.keys(values)) expect(settings.includes(name), `Herald has no setting ${name}`);
    for (const { name, valueFrom } of env)
      expect(!valueFrom || valueFrom.secretKeyRef.key === name, `${name} is another key of the Secret`);
    try {
      check(values);
    } catch (error) {
      faults.push(`${metadata.name}: ${error.message}`);
    }
    const claims = (spec.volumeClaimTemplates ?? []).map((claim) => claim.metadata.name);
    for (const { name } of volumeMounts)
      expect([...volumes.map((volume) => volume.name), ...claims].includes(name), `no volume ${name}`);
  }
  return faults;
}

/** Of what runs until it is stopped: its selector, ports, probes and shutdown. */
function workloadFaults({ metadata, spec }, objects) {
  const { containers, terminationGracePeriodSeconds } = spec.template.spec;
  const { faults, expect } = faultList(metadata);
  expect(matches(spec.selector.matchLabels, spec.template.metadata.labels), 'its selector does not match its pods');
  for (const container of containers) {
    const values = valuesOf(container, objects);
    const named = Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, containerPort]));
    const listening = [Number(values.PORT ?? 3000), Number(values.WORKER_PORT ?? 3001), Number(values.METRICS_PORT)];
    for (const port of Object.values(named)) expect(listening.includes(port), `Herald does not listen on port ${port}`);
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
      const { port } = container[probe].httpGet ?? container[probe].tcpSocket;
      expect(port in named, `${probe} names the port ${port}`);
    }
    const waitMs = Number(values.SHUTDOWN_DRAIN_MS ?? 0) + Number(values.DELIVERY_TIMEOUT_MS ?? DELIVERY_TIMEOUT_MS);
    const needed = waitMs / 1000 + SHUTDOWN_S;
    expect(terminationGracePeriodSeconds >= needed, `terminationGracePeriodSeconds is shorter than ${needed} s`);
  }
  return faults;
}

function faultList({ name }) {
  const faults = [];
  return { faults, expect: (isTrue, fault) => isTrue || faults.push(`${name}: ${fault}`) };
}

/** The ConfigMaps of a container; undefined for one that does not exist. */
function mapsOf({ envFrom = [] }, objects) {
  return envFrom.map(({ configMapRef }) =>
    objects.find(({ object }) => object.kind === 'ConfigMap' && object.metadata.name === configMapRef.name),
  );
}

function valuesOf(container, objects) {
  return Object.assign(
    {},
    ...mapsOf(container, objects).map((map) => map?.object.data),
    ...(container.env ?? []).map(({ name, value }) => ({ [name]: value })),
  );
}

function referenceFaults({ kind, metadata, spec }, workloads) {
  const selected = (labels) => workloads.filter(({ object }) => matches(labels, object.spec.template.metadata.labels));
  const faults = [];
  const expect = (isTrue, fault) => isTrue || faults.push(`${kind} ${metadata.name}: ${fault}`);
  const expectPorts = (chosen, ports) => {
    const names = chosen.flatMap(({ object }) =>
      object.spec.template.spec.containers.flatMap((container) => container.ports.map(({ name }) => name)),
    );
    for (const port of ports) expect(names.includes(port), `no pod has the port ${port}`);
  };
  if (kind === 'HorizontalPodAutoscaler') {
    const { kind: targetKind, name } = spec.scaleTargetRef;
    expect(
      workloads.some(({ object }) => object.kind === targetKind && object.metadata.name === name),
      `no ${targetKind} ${name}`,
    );
  }
  if (kind === 'PodDisruptionBudget')
    expect(selected(spec.selector.matchLabels).length === 1, 'selects no pods, or those of several');
  if (kind === 'Service') {
    expect(selected(spec.selector).length === 1, 'selects no pods, or those of several');
    expectPorts(
      selected(spec.selector),
      spec.ports.map(({ targetPort }) => targetPort),
    );
  }
  if (kind === 'NetworkPolicy') {
    expectPorts(
      selected(spec.podSelector.matchLabels),
      spec.ingress.flatMap(({ ports }) => ports.map(({ port }) => port)),
    );
  }
  return faults;
}

const matches = (selector, labels) => Object.entries(selector).every(([name, value]) => labels[name] === value);

/** Faults by the published schemas, or undefined where the registry is not reached. Nothing of them is kept. */
async function schemaFaults(objects) {
  const folder = mkdtempSync(join(tmpdir(), 'herald-schemas-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{}');
    const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
    const { status } = spawnSync('npm', ['install', ...options, SCHEMAS], {
      cwd: folder,
      stdio: 'ignore',
      timeout: 120_000,
    });
    if (status !== 0) return undefined;
    const faults = await Promise.all(objects.map(({ file, object }) => schemaFault(folder, file, object)));
    return faults.flat();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function schemaFault(folder, file, { apiVersion, kind, ...object }) {
  const models = await import(
    pathToFileURL(join(folder, 'node_modules/kubernetes-models', apiVersion, 'index.js')).href
  );
  try {
    new models[kind](object).validate();
    return [];
  } catch (error) {
    return [`${file}: ${kind} ${object.metadata.name}: ${error.message}`];
  }
}

/** What Herald knows of settings; the store is built for it. */
export async function heraldSettings() {
  const url = pathToFileURL(join(ROOT, 'dist/libs/config/src/app-config.js')).href;
  const { AppConfig, settingsSchema } = await import(url);
  return { settings: Object.keys(settingsSchema.shape), check: (values) => AppConfig.from(values) };
}

// node tools/checks/kubernetes.mjs [--schemas]
if (process.argv[1] === fileURLToPath(import.meta.url)) void main();

async function main() {
  ensureBuilt();
  const config = await heraldSettings();
  const folders = readdirSync(FOLDER).filter((name) => !name.includes('.'));
  const read = folders.map((name) => readObjects(join(FOLDER, name)));
  const base = readObjects(join(FOLDER, 'base'));
  const faults = folders.flatMap((name, at) => faultsOf(read[at], config, name === 'migration' ? base : []));
  const bySchema = process.argv.includes('--schemas') ? await schemaFaults(read.flat()) : [];
  if (bySchema === undefined)
    console.log('kubernetes: not validated by schema, because the registry cannot be reached');
  for (const fault of [...faults, ...(bySchema ?? [])]) console.error(fault);
  if (faults.length + (bySchema?.length ?? 0) > 0) process.exitCode = 1;
  else console.log(`kubernetes: ok, ${read.flat().length} objects in ${folders.length} folders`);
}
