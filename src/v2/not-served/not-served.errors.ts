import { defineError } from '#libs/http-kit';

export const RouteNotServed = defineError(
  501,
  'route_not_served',
  (method: string, path: string) =>
    `Herald does not serve ${method} ${path}; /docs/manual/clients#node-novuapi lists what it serves of later interfaces.`,
);

export const FieldNotServed = defineError(
  422,
  'field_not_served',
  (fields: readonly string[], instead: string) => `Herald does not take ${fields.join(' and ')} here: ${instead}`,
  [['context'], 'leave it out.'],
);
