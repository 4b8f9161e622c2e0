import { defineError } from '#libs/http-kit';

export const ChatLinksNotReceived = defineError(
  409,
  'chat_links_not_received',
  (identifier: string) =>
    `The integration '${identifier}' has no callbackSecret, so Herald would not hear who opens the link. Set it in the credentials, and as secret_token of the bot's webhook.`,
  ['telegram-x7k2m9q4wz'],
);

export const ChatLinkNotMade = defineError(
  502,
  'chat_link_not_made',
  (reason: string) => `The provider did not say how the bot is called. ${reason}`,
  ["Provider 'telegram' did not accept the request (HTTP 401): Unauthorized"],
);
