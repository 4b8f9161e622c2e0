/** The HTTP client for endpoints, with its address guard. */
export const WEBHOOK_HTTP = Symbol('webhook http');
