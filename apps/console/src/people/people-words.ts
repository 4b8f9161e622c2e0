import type { Schemas } from '../api/client.js';

export type Role = Schemas['UserResponse']['role'];

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  viewer: 'Viewer: sees everything except secrets',
  editor: 'Editor: also changes set-up, sends and replays',
  owner: 'Owner: also sees secrets, and manages keys and people',
};

export const ROLE_CHOICES = Object.entries(ROLE_WORDS).map(([value, label]) => ({ value, label }));

export function roleOf(text: string): Role {
  return text === 'owner' || text === 'editor' ? text : 'viewer';
}

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/curl\//, 'curl'],
];

/** What people recognize of a user agent. */
export function browserOf(userAgent: string): string {
  const find = (list: typeof SYSTEMS): string | undefined => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser === undefined) return userAgent === '' ? 'Unknown browser' : userAgent.slice(0, 40);
  return system === undefined ? browser : `${browser} on ${system}`;
}
