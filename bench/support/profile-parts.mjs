// Reads a profile of the bundled API: which part of the program each sample belongs to.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** The first that matches the file of a frame, as it was before it was bundled. */
const PARTS = [
  ['sockets', /^node:(net|internal\/stream_base_commons|internal\/streams\/)/],
  ['HTTP of Node', /^node:(_http|internal\/http)/],
  ['other of Node', /^node:/],
  ['Fastify', /node_modules\/(@fastify|fastify|find-my-way|avvio|light-my-request|secure-json-parse)/],
  ['Nest, RxJS', /node_modules\/(@nestjs|rxjs|reflect-metadata)/],
  ['driver, BSON', /node_modules\/(mongodb|bson|mongoose|mquery|kareem)/],
  // The source maps of class-validator and class-transformer name files of node_modules/src.
  ['validation', /node_modules\/(src|validator|zod)\/|libs\/http-kit\/src\/validation|libs\/validation/],
  ['rendering', /node_modules\/handlebars|libs\/templates/],
  ['HTTP of Herald', /libs\/http-kit|src\/(http|platform)/],
  ['routes and engine', /(^|\/)(src|libs|apps)\//],
];
export const GARBAGE = '(garbage collector)';
/** Not work of the program: waiting, and the profiler itself. */
export const IGNORED = /^\((idle|program)\)$/;
export const PROFILER = /profiled\.mjs$/;
export const OTHER = 'other';

/** All parts, in the order of the table. */
export const PART_NAMES = [...PARTS.map(([name]) => name), 'garbage collection', OTHER];

/** Whether a file is one of Herald's own. */
export const isOwn = (source) => !/^node:|node_modules/.test(source);

/** @param source a file, as it was before it was bundled */
export const partOfSource = (source) => PARTS.find(([, pattern]) => pattern.test(source))?.[0] ?? OTHER;

const maps = new Map();

/** The source file that a position of the bundle comes from. */
export function sourceOf({ url, lineNumber, columnNumber }) {
  if (!url.includes('/dist/bundle/')) return url;
  if (!maps.has(url)) maps.set(url, new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8'))));
  return maps.get(url).findEntry(lineNumber, columnNumber).originalSource ?? url;
}

/**
 * A sample belongs to the innermost frame whose file is known: a built-in function counts for its caller.
 * @returns {Map<string, number>} microseconds for each part
 */
export function partsOf({ nodes, samples, timeDeltas }, sourceOf) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const known = new Map();
  const partOf = (id) => {
    if (!known.has(id)) known.set(id, classify(id));
    return known.get(id);
  };
  const classify = (id) => {
    const { functionName } = byId.get(id).callFrame;
    if (functionName === GARBAGE) return 'garbage collection';
    if (IGNORED.test(functionName)) return undefined;
    let part;
    for (let at = id; at !== undefined; at = parents.get(at)) {
      const { callFrame } = byId.get(at);
      if (PROFILER.test(callFrame.url)) return undefined;
      if (part !== undefined || callFrame.url === '') continue;
      part = partOfSource(sourceOf(callFrame));
    }
    return part ?? OTHER;
  };
  const times = new Map();
  for (const [at, id] of samples.entries()) {
    const part = partOf(id);
    if (part !== undefined) times.set(part, (times.get(part) ?? 0) + (timeDeltas[at] ?? 0));
  }
  return times;
}
