import { defineError } from '#libs/http-kit';

export const TooManyConnections = defineError(
  429,
  'too_many_connections',
  'This subscriber or this address has too many open connections. Close some of them.',
);

export const RealTimeOff = defineError(
  404,
  'real_time_off',
  'This server has no real-time connections. Set REAL_TIME=on, or read the feed at intervals.',
);
