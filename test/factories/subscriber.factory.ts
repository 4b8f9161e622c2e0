let count = 0;

/** A valid body for POST /v1/subscribers with an id of its own. */
export function subscriberFactory(
  overrides: Record<string, unknown> = {},
): { subscriberId: string } & Record<string, unknown> {
  return { subscriberId: `subscriber-${++count}`, ...overrides };
}

/** A subscriber with every field that the contract has. */
export function fullSubscriberFactory(
  overrides: Record<string, unknown> = {},
): { subscriberId: string } & Record<string, unknown> {
  return subscriberFactory({
    firstName: 'Ann',
    lastName: 'Lee',
    email: 'ann@example.com',
    phone: '+15551230100',
    avatar: 'https://example.com/ann.png',
    locale: 'en-US',
    data: {
      plan: 'pro',
      'dotted.key': [1, null, { empty: {} }],
      seats: 3,
      none: null,
      list: [],
      nested: { empty: {} },
    },
    ...overrides,
  });
}
