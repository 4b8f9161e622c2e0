import { readFileSync } from 'node:fs';
import { type Metrics, openMetrics } from '#libs/telemetry';
import { WorkBacklogs } from './work-backlogs.js';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const NAME = /\b(?:herald|nodejs|process)_[a-z0-9_]+/g;
const namesIn = (text: string): string[] => [...new Set(text.match(NAME) ?? [])].sort();

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

describe('the files of operators', () => {
  let metrics: Metrics;
  /** With the series that histograms consist of. */
  const known = new Set<string>();
  const own: string[] = [];

  beforeAll(async () => {
    const counts = { waiting: 4, due: 1, claimed: 5, suspected: 6, setAside: 7 };
    const queue = { backlog: () => Promise.resolve({ ...counts, oldestMs: 500 }), claimed: { claims: 2, records: 3 } };
    const queues = { events: queue, notifications: queue };
    const backlogs = new WorkBacklogs(queues as never, queue as never, queue as never, queue as never);
    metrics = await openMetrics(backlogs.gauges());
    for (const [, name = '', type] of (await metrics.text()).matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
      known.add(name);
      if (name.startsWith('herald_')) own.push(name);
      if (type === 'histogram') for (const part of ['bucket', 'count', 'sum']) known.add(`${name}_${part}`);
    }
  });
  afterAll(() => metrics.close());

  it('should name only metrics that exist in the dashboard, and have a query in each panel', () => {
    const { panels } = JSON.parse(read('ops/helm/herald/grafana-dashboard.json')) as Dashboard;
    const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(panels.filter(({ targets }) => targets.length === 0)).toEqual([]);
    expect(queries.filter((query) => namesIn(query).length === 0)).toEqual([]);
    expect(queries.flatMap(namesIn).filter((name) => !known.has(name))).toEqual([]);
  });

  it('should name only metrics that exist in the alerts, each with an expression, a severity and a summary', () => {
    const rules = read('ops/prometheus-alerts.yml')
      .split(/^ {6}- alert: /m)
      .slice(1);
    expect(rules.length).toBeGreaterThan(5);
    for (const rule of rules) {
      expect(rule).toMatch(/^Herald\w+\n/);
      expect(rule).toMatch(/^ {8}expr: \S/m);
      expect(rule).toMatch(/^ {8}labels: \{ severity: (critical|warning) \}$/m);
      expect(rule).toMatch(/^ {10}summary: \S/m);
    }
    expect(rules.flatMap(namesIn).filter((name) => !known.has(name))).toEqual([]);
  });

  it('should scale workers by a metric that exists', () => {
    const names = namesIn(read('ops/kubernetes/keda.yaml'));
    expect(names).toEqual(['herald_work_oldest_due_seconds']);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  it('should use each metric of Herald in the dashboard', () => {
    const dashboard = namesIn(read('ops/helm/herald/grafana-dashboard.json'));
    expect(own.filter((name) => !dashboard.some((used) => used.startsWith(name)))).toEqual([]);
  });

  it('should list each metric of Herald in the documentation', () => {
    const documented = namesIn(read('docs/operations.md'));
    expect(own.filter((name) => !documented.includes(name))).toEqual([]);
  });

  it('should count what instruments record', async () => {
    const text = await metrics.text();
    expect(text).toContain('herald_work_due{queue="events"} 1');
    expect(text).toContain('herald_work_oldest_due_seconds{queue="webhooks"} 0.5');
    expect(text).toContain('herald_work_unfinished{queue="events",state="waiting"} 4');
    expect(text).toContain('herald_work_unfinished{queue="webhooks",state="set_aside"} 7');
    expect(text).toContain('herald_work_claimed_records_total{queue="notifications"} 3');
  });
});
