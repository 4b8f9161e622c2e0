import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { readExample } from '../docs/env-example.mjs';

const read = (path) => readFileSync(path, 'utf8');
const settings = new Set(readExample(read('.env.example')).map(({ key }) => key));
const compose = parse(read('docker-compose.yml'));
const OF_NODE = ['NODE_ENV', 'NODE_OPTIONS'];

describe('what Herald is deployed with', () => {
  it.each(['proxy', 'mail'])('should extend docker-compose.yml by ops/compose/%s.yaml', (name) => {
    const { services, volumes = {} } = parse(read(`ops/compose/${name}.yaml`));
    const all = { ...compose.services, ...services };
    for (const [service, { environment = {}, depends_on: needed = {}, volumes: mounted = [] }] of Object.entries(
      services,
    )) {
      expect(all[service].image ?? all[service].build ?? compose.services[service].build).toBeDefined();
      expect(Object.keys(needed).filter((other) => !(other in all))).toEqual([]);
      expect(Object.keys(environment).filter((key) => !settings.has(key))).toEqual([]);
      const named = mounted.map((mount) => mount.split(':')[0]);
      expect(named.filter((volume) => !(volume in { ...compose.volumes, ...volumes }))).toEqual([]);
    }
  });

  it('should reach the catcher of mail by the name of its service', () => {
    const { services } = parse(read('ops/compose/mail.yaml'));
    expect([services.api.environment.PRIVATE_HOSTS, services.worker.environment.PRIVATE_HOSTS]).toEqual([
      'mail',
      'mail',
    ]);
    expect(services).toHaveProperty('mail');
  });

  it('should have settings of Herald, and time to stop, in the unit for systemd', () => {
    const unit = read('ops/systemd/herald.service');
    const names = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, list]) => list.match(/[A-Z_]+(?==)/g));
    expect(names.filter((name) => !settings.has(name) && !OF_NODE.includes(name))).toEqual([]);
    const flags = /--max-semi-space-size=\d+/;
    expect(flags.exec(unit)).toEqual(
      expect.arrayContaining(flags.exec(JSON.parse(read('package.json')).scripts.start)),
    );
    expect(read('Dockerfile')).toContain(flags.exec(unit)[0]);
    // 20 s, DELIVERY_TIMEOUT_MS and some seconds of SHUTDOWN_DRAIN_MS.
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)[1])).toBeGreaterThanOrEqual(40);
  });
});
