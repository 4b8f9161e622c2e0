import { join } from 'node:path';
import { faultsOf, readObjects } from './kubernetes.mjs';

const FOLDER = join('ops', 'kubernetes');
const config = {
  settings: [
    'DELIVERY_WORKER',
    'LOG_LEVEL',
    'METRICS_PORT',
    'SHUTDOWN_DRAIN_MS',
    'TRUST_PROXY',
    'WORKER_PORT',
    'API_KEY',
    'MONGODB_URI',
    'REDIS_URL',
    'SESSION_SECRET',
    'STORE_ENCRYPTION_KEY',
  ],
  check: () => undefined,
};

/** The objects of the folder `base`, one of which is changed. */
function changed(kind, name, change) {
  const objects = readObjects(join(FOLDER, 'base'));
  change(objects.find(({ object }) => object.kind === kind && object.metadata.name === name).object);
  return objects;
}

const podOf = ({ spec }) => spec.template.spec;

describe('the check of the manifests for Kubernetes', () => {
  it.each(['base', 'single'])('should find no fault in %s', (name) => {
    expect(faultsOf(readObjects(join(FOLDER, name)), config)).toEqual([]);
  });

  it('should find no fault in the Job beside base, and that it needs what base has', () => {
    const job = readObjects(join(FOLDER, 'migration'));
    expect(faultsOf(job, config, readObjects(join(FOLDER, 'base')))).toEqual([]);
    expect(faultsOf(job, config)).toEqual([
      'job.yaml: herald-migration: no ServiceAccount herald',
      'job.yaml: herald-migration: envFrom names a ConfigMap that does not exist',
    ]);
  });

  it.each([
    [
      'a setting',
      'Deployment',
      'herald-api',
      (it) => podOf(it).containers[0].env.push({ name: 'NO_SUCH', value: '1' }),
      'no setting NO_SUCH',
    ],
    ['a ConfigMap', 'ConfigMap', 'herald', (it) => (it.metadata.name = 'other'), 'a ConfigMap that does not exist'],
    [
      'a grace period',
      'Deployment',
      'herald-api',
      (it) => (podOf(it).terminationGracePeriodSeconds = 10),
      'shorter than 45 s',
    ],
    [
      'a port of a service',
      'Service',
      'herald',
      (it) => (it.spec.ports[0].targetPort = 'web'),
      'no pod has the port web',
    ],
    [
      'a target',
      'HorizontalPodAutoscaler',
      'herald-worker',
      (it) => (it.spec.scaleTargetRef.name = 'x'),
      'no Deployment x',
    ],
    [
      'a budget',
      'PodDisruptionBudget',
      'herald-api',
      (it) => (it.spec.selector.matchLabels = { a: 'b' }),
      'selects no pods',
    ],
    [
      'a port of a probe',
      'Deployment',
      'herald-api',
      (it) => (podOf(it).containers[0].readinessProbe.httpGet.port = 'web'),
      'readinessProbe names',
    ],
  ])('should find %s that does not fit', (_what, kind, name, change, fault) => {
    expect(faultsOf(changed(kind, name, change), config)).toContainEqual(expect.stringContaining(fault));
  });

  it('should find values that are not valid', () => {
    const strict = {
      ...config,
      check: () => {
        throw new Error('LOG_LEVEL: is loud');
      },
    };
    expect(faultsOf(readObjects(join(FOLDER, 'single')), strict)).toEqual(['herald.yaml: herald: LOG_LEVEL: is loud']);
  });
});
