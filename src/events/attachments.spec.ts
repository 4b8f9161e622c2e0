import { takeAttachments } from './attachments.js';

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
