import { describeVapidKeys } from './vapid-command.js';

describe('describeVapidKeys', () => {
  it('should print the body of an integration with a new pair of keys', () => {
    const [first, second] = [describeVapidKeys(), describeVapidKeys()].map(
      (text) => JSON.parse(text.slice(text.indexOf('{'))) as { credentials: Record<string, string> },
    );
    expect(first).toMatchObject({ channel: 'push', providerId: 'web-push' });
    expect(Buffer.from(first?.credentials['applicationId'] ?? '', 'base64url')).toHaveLength(65);
    expect(Buffer.from(first?.credentials['secretKey'] ?? '', 'base64url')).toHaveLength(32);
    expect(second?.credentials['secretKey']).not.toBe(first?.credentials['secretKey']);
  });
});
