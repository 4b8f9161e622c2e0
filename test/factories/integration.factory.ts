import { generateKeyPairSync } from 'node:crypto';

/** A valid body for POST /v1/integrations: inactive mail through SMTP. */
export function integrationFactory(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { providerId: 'nodemailer', channel: 'email', ...overrides };
}

/** What an active SMTP integration needs. */
export const SMTP_CREDENTIALS = {
  host: '127.0.0.1',
  port: '587',
  from: 'hello@example.com',
  senderName: 'Example',
  secure: false,
  requireTls: true,
  tlsOptions: { rejectUnauthorized: false },
};

/** An active mail integration. */
export function activeEmailFactory(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return integrationFactory({ active: true, credentials: SMTP_CREDENTIALS, ...overrides });
}

/** An active chat integration that needs no credentials. */
export function discordFactory(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { providerId: 'discord', channel: 'chat', active: true, ...overrides };
}

const { privateKey } = generateKeyPairSync('ed25519');
/** What a service account file has. */
const SERVICE_ACCOUNT = JSON.stringify({
  project_id: 'p',
  client_email: 'herald@p.example',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
});

/** An active push integration. */
export function fcmFactory(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  const credentials = { serviceAccount: SERVICE_ACCOUNT };
  return { providerId: 'fcm', channel: 'push', active: true, credentials, ...overrides };
}

/** Conditions that make an integration wait for one tenant. */
export const CONDITIONS = [
  { value: 'AND', children: [{ on: 'tenant', field: 'identifier', operator: 'EQUAL', value: 'test' }] },
];

/** The in-app integration of an environment. */
export const IN_APP = { providerId: 'novu', channel: 'in_app', active: true };
