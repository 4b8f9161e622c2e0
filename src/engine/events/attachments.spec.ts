import { atOnce } from '#libs/worker-pool';
import { readBufferFiles, takeAttachments, takeOverrideAttachments } from './attachments.js';

const file = Buffer.from('content').toString('base64');

describe('takeAttachments', () => {
  it('should take the bytes out and leave the rest of the payload as it is', () => {
    const payload = {
      a: 1,
      attachments: [{ name: 'x', mime: 'text/plain', file, channels: ['email'] }, { name: 'y' }],
    };
    const taken = takeAttachments(payload);
    expect(taken.payload).toEqual({
      a: 1,
      attachments: [{ name: 'x', mime: 'text/plain', channels: ['email'] }, { name: 'y' }],
    });
    expect(taken.files).toEqual([
      { name: 'x', mime: 'text/plain', content: Buffer.from('content'), channels: ['email'] },
    ]);
    expect(taken.faults).toEqual([]);
  });

  it('should name files that have no name and no type', () => {
    expect(takeAttachments({ attachments: [{ file }] })).toEqual({
      payload: { attachments: [{}] },
      files: [{ name: 'attachment-1', mime: 'application/octet-stream', content: Buffer.from('content') }],
      faults: [],
    });
  });

  it.each([
    ['a text that is not base64', 'hello world!'],
    ['a number', 5],
    ['null', null],
    ['bytes that are none', { type: 'Buffer', data: [1, 256] }],
    ['another object', { type: 'File', data: [1] }],
  ])('should refuse %s as a file', (_case, content) => {
    const { files, faults } = takeAttachments({ attachments: [{ name: 'x', mime: 'text/plain', file: content }] });
    expect(files).toEqual([]);
    expect(faults).toEqual([expect.stringMatching(/^payload\.attachments\.0\.file must be base64/)]);
  });

  it.each([
    ['none', {}],
    ['a text of that name', { attachments: 'two' }],
    ['entries without bytes', { attachments: [{ name: 'x' }] }],
  ])('should leave a payload with %s alone', (_case, payload) => {
    expect(takeAttachments(payload)).toEqual({ payload, files: [], faults: [] });
  });

  it('should name every fault with its path', () => {
    const { faults } = takeAttachments({
      attachments: [
        { name: 'x', mime: 'text/plain', file },
        { name: 1, mime: {}, file: '***', channels: ['fax'] },
      ],
    });
    expect(faults).toEqual([
      'payload.attachments.1.name must be a string',
      'payload.attachments.1.mime must be a string',
      expect.stringMatching(/^payload\.attachments\.1\.file must be base64/),
      expect.stringMatching(/^payload\.attachments\.1\.channels must be/),
    ]);
  });
});

describe('takeOverrideAttachments', () => {
  it('should take the bytes out and mean the files for mails unless they say otherwise', () => {
    const overrides = {
      delay: { amount: 1, unit: 'days' },
      email: {
        subject: 's',
        attachments: [
          { name: 'x', mime: 'text/plain', file },
          { file, channels: ['push'] },
        ],
      },
    };
    const taken = takeOverrideAttachments(overrides);
    expect(taken.faults).toEqual([]);
    expect(taken.overrides).toEqual({
      delay: { amount: 1, unit: 'days' },
      email: { subject: 's', attachments: [{ name: 'x', mime: 'text/plain' }, { channels: ['push'] }] },
    });
    expect(taken.files).toMatchObject([
      { name: 'x', mime: 'text/plain', channels: ['email'] },
      { name: 'attachment-2', channels: ['push'] },
    ]);
  });

  it.each([{}, { email: null }, { email: { subject: 's' } }, { email: { attachments: null } }])(
    'should leave %j alone',
    (overrides) => {
      expect(takeOverrideAttachments(overrides)).toEqual({ overrides, files: [], faults: [] });
    },
  );

  it('should refuse what is no list, has too many entries or entries without a file', () => {
    const faultsOf = (attachments: unknown): readonly string[] =>
      takeOverrideAttachments({ email: { attachments } }).faults;
    expect(faultsOf('a.txt')).toEqual(['overrides.email.attachments must be a list of files']);
    expect(faultsOf([{ file }, { name: 'x' }, { file: '***' }])).toEqual([
      expect.stringMatching(/^overrides\.email\.attachments\.2\.file must be base64/),
      'overrides.email.attachments.1 must be an object with a file',
    ]);
    expect(faultsOf(Array(51).fill({ file }))).toEqual([expect.stringContaining('more than 50')]);
  });
});

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
