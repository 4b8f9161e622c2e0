import { flameGraph } from './flame-graph.mjs';

const node = (id, functionName, url, children = []) => ({ id, callFrame: { functionName, url }, children });
/** A route takes 60 of 100 ms, of which a query takes 25 and its sockets 5; garbage collection takes 40. */
const PROFILE = {
  nodes: [
    node(1, '(root)', '', [2, 8, 9]),
    node(2, 'list<T>', 'src/content/feeds/feeds.service.ts', [3, 4]),
    node(3, 'stringify', ''),
    node(4, 'find', 'node_modules/mongodb/lib/collection.js', [5]),
    node(5, 'send', 'node_modules/mongodb/lib/connection.js', [6]),
    node(6, 'write', 'node:net', [7]),
    node(7, 'writev', ''),
    node(8, '(garbage collector)', ''),
    node(9, '(idle)', ''),
  ],
  samples: [2, 3, 4, 5, 7, 8, 9],
  timeDeltas: [10, 20, 5, 20, 5, 40, 1_000],
};

describe('flameGraph', () => {
  const shares = (profile) =>
    [...flameGraph(profile, ({ url }) => url).matchAll(/<title>(.*?)<\/title>/g)].map(([, text]) => text);

  it('should show the functions of Herald, what libraries take for them, and no waiting', () => {
    expect(shares(PROFILE)).toEqual([
      'all: 100.0 %',
      'list&lt;T> in feeds.service.ts: 60.0 %',
      'driver, BSON: 30.0 %',
      'sockets: 5.0 %',
      'garbage collection: 40.0 %',
    ]);
  });

  it('should put a box above what called it, as wide as its share', () => {
    const svg = flameGraph(PROFILE, ({ url }) => url);
    const box = /<title>sockets.*?<rect x="(?<x>[\d.]+)" y="(?<y>\d+)" width="(?<width>[\d.]+)"/.exec(svg)?.groups;
    expect(box).toEqual({ x: '0.0', y: '0', width: '59.5' });
  });

  it('should leave out what is too narrow to see', () => {
    const rare = { ...PROFILE, timeDeltas: [10, 20, 5, 25, 0.1, 40, 1_000] };
    expect(shares(rare)).not.toContainEqual(expect.stringContaining('sockets'));
  });
});
