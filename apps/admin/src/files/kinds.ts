/** What a file or a record says, without ids. */
export type Definition = Readonly<Record<string, unknown>>;

/** A kind of record that files describe. */
export interface Kind {
  readonly name: string;
  /** Folder of the files, and the resource of the API. */
  readonly folder: string;
  /** Fields that identify a record in every environment. */
  readonly identity: readonly string[];
  /** What a definition has of a record, for kinds whose lists show records. Absent: the API lists definitions, in pages. */
  readonly fields?: readonly string[];
}

/** In the order in which they are stored: none refers to a later one. */
export const KINDS: readonly Kind[] = [
  {
    name: 'notification-group',
    folder: 'notification-groups',
    identity: ['name'],
    fields: ['name', 'description', 'order'],
  },
  { name: 'feed', folder: 'feeds', identity: ['name'], fields: ['name'] },
  { name: 'layout', folder: 'layouts', identity: ['identifier'] },
  { name: 'translation', folder: 'translations', identity: ['locale'] },
  { name: 'workflow', folder: 'workflows', identity: ['identifier'] },
  { name: 'workflow-override', folder: 'workflow-overrides', identity: ['workflow', 'tenant'] },
  { name: 'budget', folder: 'budgets', identity: ['name'] },
];

/** The values that identify a record, in the order of {@link Kind.identity}. */
export function identityOf({ identity }: Kind, definition: Definition): string[] {
  return identity.map((field) => String(definition[field]));
}

/** Differs between any two records of all kinds. */
export function keyOf(kind: Kind, definition: Definition): string {
  return JSON.stringify([kind.name, ...identityOf(kind, definition)]);
}

/** For a reader: `workflow order-shipped`. */
export function titleOf(kind: Kind, definition: Definition): string {
  return `${kind.name.replace('-', ' ')} ${identityOf(kind, definition).join(' for ')}`;
}
