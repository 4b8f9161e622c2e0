import { digestValue } from './digest-value.js';

const tenant = { identifier: 'acme', data: { plan: 'pro' } };

describe('digestValue', () => {
  it.each<[string, unknown, unknown]>([
    ['order.id', { order: { id: 1 } }, 1],
    ['order.id', { 'order.id': 2 }, 2],
    ['payload.order.id', { order: { id: 1 } }, 1],
    ['payload.order.id', { payload: { order: { id: 3 } }, order: { id: 1 } }, 3],
    ['tenant.identifier', {}, 'acme'],
    ['tenant.data.plan', {}, 'pro'],
    ['tenant.identifier', { tenant: { identifier: 'own' } }, 'own'],
    ['order.id', {}, undefined],
    ['subscriber.locale', {}, undefined],
    ['constructor', {}, undefined],
  ])('should read %s of the payload %j as %j', (key, payload, value) => {
    expect(digestValue(key, { payload, tenant })).toEqual(value);
  });

  it('should take an event without a tenant as one without a value', () => {
    expect(digestValue('tenant.identifier', { payload: {}, tenant: undefined })).toBeUndefined();
  });

  it('should take null of the payload as a value', () => {
    expect(digestValue('order.id', { payload: { order: { id: null } }, tenant })).toBeNull();
  });
});
