/** The delivery channels, in the order in which interfaces and error texts name them (contract 2.1). */
export const CHANNELS = ['in_app', 'email', 'sms', 'chat', 'push'] as const;

export type Channel = (typeof CHANNELS)[number];
