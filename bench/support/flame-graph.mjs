// Draws a profile: each box is as wide as its share of the processor time, and stands on what called it.
import { GARBAGE, IGNORED, isOwn, OTHER, partOfSource, PROFILER } from './profile-parts.mjs';

const WIDTH = 1_200;
const ROW = 17;
const LETTER = 6.2;
/** Narrower boxes are left out, in pixels. */
const NARROWEST = 2;
const COLOURS = {
  sockets: '#b8c4d6',
  'HTTP of Node': '#a9b8cf',
  'other of Node': '#d3d8e0',
  Fastify: '#c9d8c5',
  'Nest, RxJS': '#e5b8c0',
  'driver, BSON': '#b9d9c3',
  validation: '#e3cdeb',
  rendering: '#f0dfa8',
  'HTTP of Herald': '#ffc98a',
  'routes and engine': '#ffab5e',
  'garbage collection': '#d9c7b0',
  [OTHER]: '#e6e6e6',
};

/** @returns an SVG of the time of all samples but those without work */
export function flameGraph({ nodes, samples, timeDeltas }, sourceOf) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const own = new Map();
  for (const [at, id] of samples.entries()) own.set(id, (own.get(id) ?? 0) + (timeDeltas[at] ?? 0));
  const root = { children: new Map(), time: 0, label: 'all', part: OTHER };
  const add = (id, box) => {
    const { callFrame, children = [] } = byId.get(id);
    if (IGNORED.test(callFrame.functionName) || PROFILER.test(callFrame.url)) return 0;
    const inside = boxOf(callFrame, box, sourceOf);
    let time = own.get(id) ?? 0;
    for (const child of children) time += add(child, inside);
    // Calls of a library inside of itself are in its box, whose time is that of the outermost.
    if (inside !== box) inside.time += time;
    return time;
  };
  const [{ children = [] }] = nodes;
  for (const child of children) root.time += add(child, root);
  return draw(root);
}

function boxOf({ functionName, url, ...position }, below, sourceOf) {
  if (functionName === GARBAGE) return childOf(below, 'garbage collection', 'garbage collection');
  // A built-in function counts for its caller.
  if (url === '') return below;
  const source = sourceOf({ url, ...position });
  const part = partOfSource(source);
  // What a library calls inside of itself is one box; of Herald, each function has its own.
  if (!isOwn(source)) return part === below.part ? below : childOf(below, part, part);
  const name = functionName === '' ? 'a function' : functionName;
  return childOf(below, `${name} in ${source.split('/').at(-1)}`, part);
}

function childOf(below, label, part) {
  if (!below.children.has(label)) below.children.set(label, { label, part, time: 0, children: new Map() });
  return below.children.get(label);
}

function draw(root) {
  const boxes = [];
  const place = (box, left, level) => {
    const width = (box.time / root.time) * WIDTH;
    if (width < NARROWEST) return;
    boxes.push({ ...box, left, level, width, share: (100 * box.time) / root.time });
    let at = left;
    for (const child of [...box.children.values()].sort((one, other) => other.time - one.time)) {
      place(child, at, level + 1);
      at += (child.time / root.time) * WIDTH;
    }
  };
  place(root, 0, 0);
  const height = (Math.max(...boxes.map(({ level }) => level)) + 1) * ROW;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    ...boxes.map((box) => rectangle(box, height)),
    '</svg>\n',
  ].join('\n');
}

function rectangle({ label, part, left, level, width, share }, height) {
  const [x, y] = [left.toFixed(1), height - (level + 1) * ROW];
  const full = escaped(`${label}: ${share.toFixed(1)} %`);
  const letters = Math.floor((width - 4) / LETTER);
  const shown = letters >= label.length + 7 ? full : letters > 4 ? escaped(`${label.slice(0, letters - 1)}…`) : '';
  const text = shown === '' ? '' : `<text x="${(left + 3).toFixed(1)}" y="${y + 12}">${shown}</text>`;
  const size = `width="${(width - 0.5).toFixed(1)}" height="${ROW - 1}"`;
  return `<g><title>${full}</title><rect x="${x}" y="${y}" ${size} fill="${COLOURS[part]}"/>${text}</g>`;
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
