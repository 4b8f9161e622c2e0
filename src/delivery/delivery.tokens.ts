/** The HTTP client for URLs that users give (webhook conditions), with its address guard. */
export const OUTBOUND_HTTP = Symbol('outbound http');

/** What every channel that sends through providers uses. */
export const CHANNEL_TOOLS = Symbol('channel tools');
