import { askedIn, type Caught, caughtChannels, framedOf, sizeOf, whoOf } from './catcher-words.js';

const LISTED = {
  _id: '1',
  id: '1',
  _notificationId: '2',
  _templateId: '3',
  _subscriberId: '4',
  transactionId: 't',
  to: ['ada@example.com'],
  summary: 'Hello',
  createdAt: '2026-01-01T00:00:00.000Z',
};

describe('askedIn', () => {
  it('should leave out what the list does not take', () => {
    expect(askedIn(new URLSearchParams('channel=email&subscriberId=%20ada&page=2'))).toEqual({
      channel: 'email',
      subscriberId: 'ada',
    });
    expect(askedIn(new URLSearchParams('channel=fax&subscriberId='))).toEqual({});
  });
});

describe('caughtChannels', () => {
  it('should name those that are on', () => {
    const channels = [
      { channel: 'email' as const, isOn: true },
      { channel: 'sms' as const, isOn: false },
      { channel: 'push' as const, isOn: true },
    ];
    expect(caughtChannels({ channels })).toBe('Email, Push');
    expect(caughtChannels({ channels: [] })).toBe('');
  });
});

describe('whoOf', () => {
  it('should be the best that is known', () => {
    const message = { ...LISTED, channel: 'email' as const };
    expect(whoOf({ ...message, subscriberId: 'ada', subscriberName: 'Ada' })).toBe('Ada');
    expect(whoOf({ ...message, subscriberId: 'ada' })).toBe('ada');
    expect(whoOf(message)).toBe('ada@example.com');
    expect(whoOf({ ...message, to: [] })).toBe('a deleted subscriber');
  });
});

describe('framedOf', () => {
  it('should show the HTML of a mail, and the text of others', () => {
    const mail: Caught = {
      ...LISTED,
      channel: 'email',
      html: '<p>Hi</p>',
      text: 'Hi',
      from: 'a@b.example',
      senderName: 'A',
    };
    expect(framedOf(mail)).toEqual({ type: 'email', content: '<p>Hi</p>', text: 'Hi', senderName: 'A <a@b.example>' });
    expect(framedOf({ ...LISTED, channel: 'sms', text: 'Hi', from: '+1' })).toEqual({
      type: 'sms',
      content: 'Hi',
      senderName: '+1',
    });
  });
});

describe('sizeOf', () => {
  it.each([
    [0, '0 bytes'],
    [999, '999 bytes'],
    [48_213, '48.2 kB'],
    [2_500_000_000, '2,500 MB'],
  ])('should show %d as %s', (bytes, text) => {
    expect(sizeOf(bytes)).toBe(text);
  });
});
