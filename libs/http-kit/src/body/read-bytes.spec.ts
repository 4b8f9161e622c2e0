import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { BodyTooLarge, BodyTooSlow, MalformedBody, TooManyBodies, UnsupportedBody } from './body.errors.js';
import { readBytes } from './read-bytes.js';

type FakeRequest = PassThrough & IncomingMessage;

function requestOf(headers: IncomingMessage['headers'] = {}): FakeRequest {
  const fields = { headers, complete: false, socket: { bytesRead: 0 } };
  const request = Object.assign(new PassThrough(), fields) as unknown as FakeRequest;
  return request.once('finish', () => (request.complete = true));
}

const roomy = { limit: 1_000_000, reserve: (): void => undefined };

describe('readBytes', () => {
  it('should unpack, and reserve room for what is unpacked', async () => {
    const request = requestOf({ 'content-encoding': 'gzip' });
    let reserved = 0;
    const read = readBytes(request, { limit: 1_000_000, reserve: (bytes) => (reserved += bytes) });
    request.end(gzipSync(Buffer.alloc(500_000, 'x')));
    expect(await read).toHaveLength(500_000);
    expect(reserved).toBe(500_000);
  });

  it('should unpack no more than a little beyond the limit', async () => {
    const request = requestOf({ 'content-encoding': 'gzip' });
    let reserved = 0;
    const read = readBytes(request, { limit: 100_000, reserve: (bytes) => (reserved += bytes) });
    request.end(gzipSync(Buffer.alloc(50_000_000, 'x')));
    await expect(read).rejects.toThrow(BodyTooLarge);
    expect(reserved).toBeLessThanOrEqual(100_000);
  });

  it('should read nothing of what is announced to be too large', () => {
    const request = requestOf({ 'content-length': '1000001' });
    expect(() => readBytes(request, roomy)).toThrow(BodyTooLarge);
    expect(request.readableFlowing).toBeNull();
  });

  it('should stop where there is no room, and let the rest pass by', async () => {
    const request = requestOf();
    const reserve = (): never => {
      throw new TooManyBodies();
    };
    const read = readBytes(request, { limit: 1_000, reserve });
    request.write('x');
    await expect(read).rejects.toThrow(TooManyBodies);
    expect(request.readableFlowing).toBe(true);
    expect(request.listenerCount('data')).toBe(0);
  });

  it('should refuse a body that breaks off', async () => {
    const request = requestOf();
    const read = readBytes(request, roomy);
    request.write('x');
    request.destroy();
    await expect(read).rejects.toThrow(MalformedBody);
    expect(() => readBytes(request, roomy)).toThrow(MalformedBody);
  });

  it.each(['zstd', 'gzip, gzip', 'constructor', ''])('should refuse the encoding %j', (encoding) => {
    expect(() => readBytes(requestOf({ 'content-encoding': encoding }), roomy)).toThrow(UnsupportedBody);
  });

  it('should not unpack for callers without a key', () => {
    const request = requestOf({ 'content-encoding': 'gzip' });
    expect(() => readBytes(request, { ...roomy, isPlain: true })).toThrow(UnsupportedBody);
    expect(request.readableFlowing).toBeNull();
  });

  describe('with time', () => {
    // Streams go on by `nextTick`, which must not wait for the clock.
    beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }));
    afterEach(() => jest.useRealTimers());

    /** What comes in each interval, on the wire and of the body. */
    const receive = async (request: FakeRequest, wire: number, body: Buffer | string): Promise<void> => {
      Object.assign(request.socket, { bytesRead: request.socket.bytesRead + wire });
      request.write(body);
      await jest.advanceTimersByTimeAsync(5_000);
    };

    it('should not count the padding of chunks', async () => {
      const request = requestOf();
      const read = expect(readBytes(request, roomy)).rejects.toThrow(BodyTooSlow);
      await receive(request, 6_000, 'x'.repeat(6_000));
      await receive(request, 6_000, 'x');
      await read;
    });

    it('should not count packed bytes that hold nothing', async () => {
      const request = requestOf({ 'content-encoding': 'deflate' });
      const read = expect(readBytes(request, roomy)).rejects.toThrow(BodyTooSlow);
      request.write(Buffer.from([0x78, 0x9c]));
      // Stored blocks of no bytes.
      await receive(request, 6_000, Buffer.from('000000ffff'.repeat(1_200), 'hex'));
      await read;
    });

    it('should not wait longer than it may, however much arrives', async () => {
      const request = requestOf();
      const read = expect(readBytes(request, { ...roomy, withinMs: 9_000 })).rejects.toThrow(BodyTooSlow);
      await receive(request, 6_000, 'x'.repeat(6_000));
      await receive(request, 6_000, 'x'.repeat(6_000));
      await read;
      expect(jest.getTimerCount()).toBe(0);
    });
  });

  it('should not wait for a body that hardly arrives', async () => {
    jest.useFakeTimers();
    try {
      const request = requestOf();
      const read = readBytes(request, roomy);
      Object.assign(request.socket, { bytesRead: 6_000 });
      jest.advanceTimersByTime(5_000);
      Object.assign(request.socket, { bytesRead: 6_100 });
      jest.advanceTimersByTime(5_000);
      await expect(read).rejects.toThrow(BodyTooSlow);
    } finally {
      jest.useRealTimers();
    }
  });
});
