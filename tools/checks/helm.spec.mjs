import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { CHART, chartFaults, readChart, renderChart, templateFaults } from './helm.mjs';

const { templates, values } = readChart();
const config = {
  settings: [
    ...Object.keys(values.settings),
    'DELIVERY_WORKER',
    'WORKER_PORT',
    'API_KEY',
    'SESSION_SECRET',
    'MONGODB_URI',
    'REDIS_URL',
    'STORE_ENCRYPTION_KEY',
  ],
  check: () => undefined,
};

describe('the chart', () => {
  it('should name values that there are, in blocks that end', () => {
    expect(templateFaults(templates, values)).toEqual([]);
  });

  it('should be refused with a value that there is not, or an open block', () => {
    expect(templateFaults({ 'a.yaml': '{{ .Values.image.name }}' }, values)).toEqual([
      'a.yaml: values.yaml has no image.name',
    ]);
    expect(templateFaults({ 'a.yaml': '{{- if .Values.mode }}' }, values)).toEqual([
      'a.yaml: 1 blocks begin, and 0 end',
    ]);
  });

  it('should have the files that its templates read', () => {
    const files = Object.values(templates).flatMap((text) => [...text.matchAll(/\.Files\.Get "([^"]+)"/g)]);
    expect(files.length).toBeGreaterThan(0);
    for (const [, name] of files) expect(readFileSync(join(CHART, name), 'utf8')).toContain('"panels"');
  });

  describe('values.schema.json', () => {
    const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8'));
    const fits = new Ajv({ strict: false }).compile(schema);
    const withValue = (path, value) => {
      const copy = JSON.parse(JSON.stringify(values));
      const keys = path.split('.');
      keys.slice(0, -1).reduce((found, key) => found[key], copy)[keys.at(-1)] = value;
      return copy;
    };

    it('should have every value, with its default', () => {
      expect([fits(values), fits.errors]).toEqual([true, null]);
      const named = ({ properties = {} }, found) =>
        Object.keys(properties).filter((key) => key !== 'global' && !(key in found));
      expect(named(schema, values)).toEqual([]);
      for (const [key, part] of Object.entries(schema.properties).filter(([name]) => name !== 'global'))
        expect([key, named(part, values[key])]).toEqual([key, []]);
    });

    it.each([
      ['image.digest', `sha256:${'0f'.repeat(32)}`],
      ['networkPolicy.callers', [{ podSelector: {} }]],
      ['settings.METRICS_PORT', null],
      ['monitoring.podMonitor.labels', { release: 'prometheus' }],
    ])('should take %s', (path, value) => {
      expect(fits(withValue(path, value))).toBe(true);
    });

    it.each([
      ['mode', 'cluster'],
      ['image.digest', 'sha256:0f'],
      ['image.name', 'herald'],
      ['settings.LOG_LEVEL', 7],
      ['settings.logLevel', 'info'],
      ['migration.enabled', 'yes'],
      ['api.autoscaling.maxReplicas', 0],
      ['single.storage', '10 GB'],
      ['networkPolicy.callers', {}],
      ['monitoring.podMonitor.interval', 'often'],
      ['monitoring.dashboard.enabled', 'yes'],
    ])('should refuse %s: %j', (path, value) => {
      expect(fits(withValue(path, value))).toBe(false);
    });
  });

  const rendered = renderChart();
  (rendered === undefined ? it.skip : it)('should render objects without faults in each variant', () => {
    expect(rendered.flatMap((variant) => chartFaults(variant, config))).toEqual([]);
    const kinds = rendered.map(({ objects }) =>
      objects
        .map(({ object }) => object.kind)
        .sort()
        .join(' '),
    );
    expect(kinds[0]).toBe('ConfigMap NetworkPolicy Service ServiceAccount StatefulSet');
    expect(kinds[2]).toContain('Ingress');
    expect(kinds[4]).toMatch(/^ConfigMap ConfigMap .*PodMonitor/);
    expect(kinds[4].match(/HorizontalPodAutoscaler/g)).toHaveLength(1);
    expect(kinds[6]).not.toContain('NetworkPolicy');
    expect(kinds.map((one) => one.split(' ').filter((kind) => kind === 'Job').length)).toEqual([0, 0, 0, 0, 0, 1, 0]);
    const { object: job } = rendered[5].objects.find(({ object }) => object.kind === 'Job');
    expect(job.metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade,post-upgrade');
    const { containers, serviceAccountName } = job.spec.template.spec;
    // Nothing that the release itself creates: it does not exist before.
    expect([serviceAccountName, containers[0].envFrom]).toEqual([undefined, undefined]);
    const [settings, secrets] = [false, true].map((isSecret) =>
      containers[0].env.filter(({ valueFrom }) => (valueFrom !== undefined) === isSecret),
    );
    expect(Object.fromEntries(settings.map(({ name, value }) => [name, value]))).toEqual(values.settings);
    expect(secrets.map(({ name, valueFrom }) => [name, valueFrom.secretKeyRef.name])).toEqual([
      ['MONGODB_URI', 'other'],
      ['STORE_ENCRYPTION_KEY', 'other'],
    ]);
  });
});
