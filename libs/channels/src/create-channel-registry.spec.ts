import { ConfigError } from '#libs/config';
import { createChannelRegistry } from './create-channel-registry.js';

describe('createChannelRegistry', () => {
  it('should name every base URL that belongs to no provider as a fault of the settings', () => {
    const url = 'https://proxy.example';
    const create = (): unknown =>
      createChannelRegistry({ allowPrivateUrls: false, baseUrls: { twilio: url, nobody: url, toString: url } });
    expect(create).toThrow(ConfigError);
    expect(create).toThrow(/no provider 'nobody'.*\n.*no provider 'toString'/);
  });
});
