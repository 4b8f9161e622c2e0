import { readdirSync } from 'node:fs';
import { missingCredentials, PROVIDER_CATALOGUE } from '#libs/channels';
import { exampleIntegration, exampleTarget } from './provider-examples.mjs';

const ready = PROVIDER_CATALOGUE.filter(({ state }) => state === 'implemented');

describe('the examples of providers', () => {
  it.each(ready.map((one) => [one.id, one]))('should have all that %s requires', (_id, declaration) => {
    const { providerId, channel, credentials } = exampleIntegration(declaration);
    expect([providerId, channel]).toEqual([declaration.id, declaration.channel]);
    expect(missingCredentials(declaration, credentials)).toEqual([]);
  });

  it('should say where messages go for chat and push only', () => {
    for (const declaration of ready) {
      const needsOne = ['chat', 'push'].includes(declaration.channel);
      if (!needsOne) expect(exampleTarget(declaration)).toBeUndefined();
    }
  });

  it('should be on a page for each provider', () => {
    expect(readdirSync('docs/providers').sort()).toEqual(ready.map(({ id }) => `${id}.md`).sort());
  });
});
