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
        { file: '***', channels: ['fax'] },
      ],
    });
    expect(faults).toEqual([
      'payload.attachments.1.name must be a string',
      'payload.attachments.1.mime must be a string',
      'payload.attachments.1.file must be base64',
      expect.stringMatching(/^payload\.attachments\.1\.channels must be/),
    ]);
  });
});
