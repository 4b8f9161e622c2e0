import { brandingOf } from './recipient.js';

describe('brandingOf', () => {
  const common = { logo: 'https://shop.example/logo.png', color: '#112233' };

  it('should be that of the tenant', () => {
    const data = { branding: { logo: 'https://acme.example/a.png', color: '#abcdef' } };
    expect(brandingOf({ name: 'Acme', data }, common)).toEqual({ name: 'Acme', ...data.branding });
  });

  it('should be that of the environment where the tenant has none, or nothing that could be one', () => {
    for (const branding of [undefined, null, 'red', ['x'], { logo: '', color: 7 }, { logo: { a: 1 } }]) {
      expect(brandingOf({ name: 'Acme', data: { branding } }, common)).toEqual({ name: 'Acme', ...common });
    }
    expect(brandingOf({ name: 'Acme' }, {})).toEqual({ name: 'Acme' });
  });
});
