import { chartFaults, readChart, renderChart, templateFaults } from './helm.mjs';

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
    expect(kinds[3]).not.toContain('NetworkPolicy');
  });
});
