import { createServer } from 'node:http';
import { once } from 'node:events';

const SCOPES = ['openid', 'email', 'profile', 'groups'];

/**
 * A real OpenID Connect provider on this machine. People sign in by typing who they are.
 * @param options.redirectUri where it may send people back to
 * @param options.port 0 for any
 * @param options.inToken whether the ID token has all claims, and not only the address for user information
 */
export async function startLoginProvider({ redirectUri, port = 0, inToken = false }) {
  const client = { clientId: 'herald', clientSecret: 'a secret of the client for tests & 100% special' };
  const people = new Map();
  const server = createServer((request, response) => void handle(request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = await quietly(async () => {
    const { default: Provider } = await import('oidc-provider');
    return new Provider(issuer, configurationOf({ client, people, redirectUri, inToken }));
  });
  const answer = provider.callback();

  async function handle(request, response) {
    if (!request.url.startsWith('/interaction/')) return answer(request, response);
    try {
      if (request.method === 'GET') return showForm(response);
      const { login = '', refuse } = Object.fromEntries(new URLSearchParams(await textOf(request)));
      const result =
        refuse === undefined
          ? { login: { accountId: login } }
          : { error: 'access_denied', error_description: 'The person refused.' };
      await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }

  return {
    issuer,
    people,
    settings: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client.clientId, OIDC_CLIENT_SECRET: client.clientSecret },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function configurationOf({ client, people, redirectUri, inToken }) {
  return {
    clients: [{ client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: [redirectUri] }],
    cookies: { keys: ['a key of the provider for tests'] },
    scopes: SCOPES,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    conformIdTokenClaims: !inToken,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
    // Nobody is asked whether Herald may see who they are.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope(SCOPES.join(' '));
      await grant.save();
      return grant;
    },
  };
}

function showForm(response) {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(`<!doctype html><html lang="en"><title>Login of the company</title><link rel="icon" href="data:,"><h1>Login of the company</h1>
    <form method="post"><label>Who are you? <input name="login"></label>
    <button>Continue</button> <button name="refuse" value="1">Refuse</button></form>`);
}

async function textOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** It warns of keys for development, which a provider for tests has, and of Node 20. */
async function quietly(make) {
  const { info, warn } = console;
  Object.assign(console, { info: () => {}, warn: () => {} });
  try {
    return await make();
  } finally {
    Object.assign(console, { info, warn });
  }
}
