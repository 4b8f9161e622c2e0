const SLAB_BYTES = 64 * 1024;
/** A larger value gets memory of its own, so that keeping a small one never keeps a large one alive. */
const MAX_POOLED_BYTES = 8 * 1024;

let slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
let used = 0;

/** Memory for a short-lived value; one allocation of the runtime serves many of them. */
function allocate(size: number): Buffer {
  if (size > MAX_POOLED_BYTES) return Buffer.allocUnsafeSlow(size);
  if (used + size > SLAB_BYTES) {
    slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
    used = 0;
  }
  const from = used;
  used += size;
  return slab.subarray(from, used);
}

/** Of a buffer that the library reuses: its `length` is that of the current value, its memory is larger. */
interface Shared extends Buffer {
  whole?: Uint8Array;
}

function copyOf(source: Shared, from: number, to: number): Buffer {
  const whole = (source.whole ??= new Uint8Array(source.buffer, source.byteOffset, source.byteLength));
  const out = allocate(to - from);
  out.set(whole.subarray(from, to));
  return out;
}

/** How the bytes of keys and values pass between LMDB's own buffers and ours. */
export const RAW_FORMAT = {
  keyEncoder: {
    writeKey(key: Buffer, target: Buffer, start: number): number {
      target.set(key, start);
      return start + key.length;
    },
    readKey: copyOf,
  },
  encoder: {
    encode: (value: Buffer): Buffer => value,
    decode: (shared: Buffer): Buffer => copyOf(shared, 0, shared.length),
  },
};
