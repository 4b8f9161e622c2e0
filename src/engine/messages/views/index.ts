export { payloadFaults } from './payload-filter.js';
export type { LiveMessage } from './live-message.js';
export { forBrowser, forBrowsers } from './browser-content.js';
export { FeedMessageResponse, MessageCountResponse, MessageResponse } from './message.response.js';
export { MessageActionResponse, MessageCtaResponse, showMessageCta } from './message-parts.response.js';
