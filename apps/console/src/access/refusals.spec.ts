import { refusalOf } from './refusals.js';

type Asked = Parameters<typeof refusalOf>[1];

const SCOPES = { viewer: ['read'], editor: ['read', 'write', 'trigger'], owner: ['trigger', 'read', 'write', 'admin'] };
const as = (role?: keyof typeof SCOPES, isReadOnly = false): Asked =>
  ({ environment: { isReadOnly }, ...(role && { person: { role, scopes: SCOPES[role] } }) }) as unknown as Asked;

describe('refusalOf', () => {
  it('should name the role, what it may not do, and whom to ask', () => {
    expect(refusalOf('createWorkflow', as('viewer'))).toBe(
      'Your role, viewer, cannot change workflows. Ask an owner or an editor.',
    );
    expect(refusalOf('replayNotification', as('viewer'))).toBe(
      'Your role, viewer, cannot send, replay or cancel messages. Ask an owner or an editor.',
    );
    expect(refusalOf('issueApiKey', as('editor'))).toBe('Your role, editor, cannot change API keys. Ask an owner.');
  });

  it('should allow what the role does', () => {
    expect(refusalOf('createWorkflow', as('editor'))).toBeUndefined();
    expect(refusalOf('issueApiKey', as('owner'))).toBeUndefined();
  });

  it('should leave keys to the API', () => {
    expect(refusalOf('issueApiKey', as())).toBeUndefined();
  });

  it('should refuse changes of definitions in a read-only environment, and nothing else', () => {
    expect(refusalOf('deleteLayout', as('owner', true))).toMatch(/^This environment is read-only\./);
    expect(refusalOf('deleteLayout', as(undefined, true))).toMatch(/^This environment is read-only\./);
    expect(refusalOf('createTenant', as('owner', true))).toBeUndefined();
  });
});
