import { KEY_SCOPES, type KeyScope } from '#libs/common';

/** From the least to the most. */
export const ROLES = ['viewer', 'editor', 'owner'] as const;
export type Role = (typeof ROLES)[number];

const SCOPES: Readonly<Record<Role, readonly KeyScope[]>> = {
  viewer: ['read'],
  editor: ['read', 'write', 'trigger'],
  owner: KEY_SCOPES,
};

/** What a role allows, in the words in which routes ask. */
export function scopesOf(role: Role): readonly KeyScope[] {
  return SCOPES[role];
}
