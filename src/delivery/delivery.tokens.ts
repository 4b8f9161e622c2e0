/** What every channel that sends through providers uses. */
export const CHANNEL_TOOLS = Symbol('channel tools');
