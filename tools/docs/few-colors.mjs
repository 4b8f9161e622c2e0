import { crc32, deflateSync } from 'node:zlib';

const COLORS = 64;

/** The same picture in its most frequent colors: a third of the size. @param page of a browser, empty */
export async function withFewColors(page, png) {
  const { width, height, palette, places } = await page.evaluate(reduce, { source: png.toString('base64'), COLORS });
  const pixels = Buffer.from(places, 'base64');
  const rows = Array.from({ length: height }, (_, y) => [Buffer.of(0), pixels.subarray(y * width, (y + 1) * width)]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(Buffer.concat(rows.flat()), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name, data) {
  const named = Buffer.concat([Buffer.from(name), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** Runs in the page, which can read pictures. */
async function reduce({ source, COLORS: most }) {
  const { Image, OffscreenCanvas, btoa } = globalThis;
  const image = new Image();
  image.src = `data:image/png;base64,${source}`;
  await image.decode();
  const { width, height } = image;
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const colorAt = (at) => (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
  const counts = new Map();
  for (let at = 0; at < data.length; at += 4) counts.set(colorAt(at), (counts.get(colorAt(at)) ?? 0) + 1);
  const frequent = [...counts].sort((one, other) => other[1] - one[1]).slice(0, most);
  const palette = frequent.map(([color]) => [color >> 16, (color >> 8) & 255, color & 255]);
  const nearest = new Map();
  const placeOf = (color) => {
    const own = [color >> 16, (color >> 8) & 255, color & 255];
    const distances = palette.map((one) => one.reduce((sum, part, index) => sum + (part - own[index]) ** 2, 0));
    return distances.indexOf(Math.min(...distances));
  };
  for (const color of counts.keys()) nearest.set(color, placeOf(color));
  let places = '';
  for (let at = 0; at < data.length; at += 4) places += String.fromCharCode(nearest.get(colorAt(at)));
  return { width, height, palette, places: btoa(places) };
}
