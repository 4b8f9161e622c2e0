import { randomBytes } from 'node:crypto';
import { DISCORD_PATH, PUSH_PATH, startHttpCatcher } from './http.mjs';
import { startMailCatcher } from './mail.mjs';

/**
 * Where the demo's messages go instead of to the world.
 * @returns the catchers `mail` and `http`, what integrations need to reach them, and `close()`
 */
export async function startCatchers() {
  const pushSecret = randomBytes(16).toString('hex');
  const [mail, http] = await Promise.all([startMailCatcher(), startHttpCatcher(pushSecret)]);
  return {
    mail,
    http,
    smtp: { host: '127.0.0.1', port: String(mail.port) },
    discordUrl: http.url + DISCORD_PATH,
    push: { webhookUrl: http.url + PUSH_PATH, secretKey: pushSecret },
    close: async () => {
      await Promise.all([mail.close(), http.close()]);
    },
  };
}
