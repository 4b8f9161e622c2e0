/** The HTTP client for URLs that users give (webhook conditions), with its address guard. */
export const OUTBOUND_HTTP = Symbol('outbound http');

/** The template renderer of the process. */
export const RENDERER = Symbol('renderer');

/** What every channel that sends through providers uses. */
export const CHANNEL_TOOLS = Symbol('channel tools');
