import { atOnce } from '#libs/worker-pool';
import { readBufferFiles } from './buffer-files.js';

const sent = (bytes: number[]): unknown => JSON.parse(JSON.stringify(Buffer.from(bytes)));
const withFile = (file: unknown): object => ({ payload: { attachments: [{ name: 'x', file }] } });
const read = (path: string, body: unknown): unknown => {
  atOnce(readBufferFiles({ path }, body));
  return body;
};

describe('readBufferFiles', () => {
  it('should read the files of mail overrides as well', () => {
    const body = { overrides: { email: { attachments: [{ file: sent([104, 105]) }] } } };
    expect(read('/v1/events/trigger', body)).toEqual({ overrides: { email: { attachments: [{ file: 'aGk=' }] } } });
  });

  it('should make base64 of the Buffers of a Node client', () => {
    expect(read('/v1/events/trigger', withFile(sent([0, 104, 255])))).toEqual(withFile('AGj/'));
    expect(read('/v1/events/trigger', withFile(sent([])))).toEqual(withFile(''));
  });

  it('should do so for each event of a bulk call', () => {
    expect(read('/v1/events/trigger/bulk', { events: [withFile(sent([1])), 5, withFile('AQ==')] })).toEqual({
      events: [withFile('AQ=='), 5, withFile('AQ==')],
    });
  });

  it('should not go through lists that are too long for a request', () => {
    const events = Array.from({ length: 101 }, () => withFile(sent([1])));
    expect(read('/v1/events/trigger/bulk', { events: structuredClone(events) })).toEqual({ events });
  });

  it.each([
    ['bytes that are none', { type: 'Buffer', data: [1, 256] }],
    ['negative bytes', { type: 'Buffer', data: [-1] }],
    ['fractions', { type: 'Buffer', data: [1.5] }],
    ['objects for bytes', { type: 'Buffer', data: [{}] }],
    ['a text for bytes', { type: 'Buffer', data: 'AQ==' }],
    ['another type', { type: 'File', data: [1] }],
    ['a list', [1]],
    ['null', null],
  ])('should leave %s alone', (_case, file) => {
    expect(read('/v1/events/trigger', withFile(file))).toEqual(withFile(file));
  });

  it.each([[undefined], [null], ['text'], [[]], [{ payload: null }], [{ payload: { attachments: [null, 1] } }]])(
    'should leave %j alone',
    (body) => {
      expect(read('/v1/events/trigger', structuredClone(body))).toEqual(body);
    },
  );

  it('should leave the bodies of other routes and other parts of a payload as they came', () => {
    expect(read('/v1/subscribers', withFile(sent([1])))).toEqual(withFile(sent([1])));
    const elsewhere = { payload: { file: sent([1]), more: withFile(sent([1])) } };
    expect(read('/v1/events/trigger', structuredClone(elsewhere))).toEqual(elsewhere);
  });
});
