import { takeAttachments, takeOverrideAttachments } from './attachments.js';

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
