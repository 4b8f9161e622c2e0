import { deserialize, serialize } from 'node:v8';
import { LRUCache } from 'lru-cache';
import { isHeavy } from './render-cost.js';

type Data = Readonly<Record<string, unknown>>;

interface Pack {
  readonly id: number;
  readonly bytes: SharedArrayBuffer;
}

/** For another thread: large values are packed. */
export interface PackedContext {
  readonly light: Data;
  readonly packs: Readonly<Record<string, Pack>>;
}

const packed = new WeakMap<object, Pack>();
let lastId = 0;

/** Values that many recipients share are serialized once. */
export function packContext(context: Data): PackedContext {
  const light: Record<string, unknown> = {};
  const packs: Record<string, Pack> = {};
  for (const [key, value] of Object.entries(context)) {
    if (typeof value === 'object' && value !== null && isHeavy(value)) packs[key] = packOf(value);
    else light[key] = value;
  }
  return { light, packs };
}

function packOf(value: object): Pack {
  const known = packed.get(value);
  if (known !== undefined) return known;
  const data = serialize(value);
  const bytes = new SharedArrayBuffer(data.byteLength);
  new Uint8Array(bytes).set(data);
  lastId += 1;
  const pack = { id: lastId, bytes };
  packed.set(value, pack);
  return pack;
}

/** Templates change no data, so parsed values are reused. */
export class PackReader {
  private readonly values = new LRUCache<number, object>({ max: 8 });

  unpack({ light, packs }: PackedContext): Data {
    const context: Record<string, unknown> = { ...light };
    for (const [key, pack] of Object.entries(packs)) context[key] = this.read(pack);
    return context;
  }

  private read({ id, bytes }: Pack): object {
    const known = this.values.get(id);
    if (known !== undefined) return known;
    const value = deserialize(new Uint8Array(bytes)) as object;
    this.values.set(id, value);
    return value;
  }
}
