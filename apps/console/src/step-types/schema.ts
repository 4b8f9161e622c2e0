/** What the forms of step types use of JSON Schema. */
export interface MemberSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: MemberSchema;
  readonly 'x-labels'?: Readonly<Record<string, string>>;
  readonly 'x-control'?: string;
  readonly 'x-when'?: Readonly<Record<string, unknown>>;
}

export interface Member extends MemberSchema {
  readonly name: string;
  readonly isRequired: boolean;
}

export type Values = Readonly<Record<string, unknown>>;

/** The members that are asked for with these values. */
export function membersOf(schema: Values, values: Values): Member[] {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, MemberSchema>>;
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.entries(properties)
    .filter(([, { 'x-when': when = {} }]) => Object.entries(when).every(([name, value]) => values[name] === value))
    .map(([name, member]) => ({ ...member, name, isRequired: required.includes(name) }));
}

/** Which input a member gets. */
export function inputOf({
  type,
  enum: choices,
  items,
  ...hints
}: MemberSchema): 'choice' | 'check' | 'number' | 'text' | 'texts' | 'long' | 'json' {
  if (choices !== undefined) return 'choice';
  if (type === 'boolean') return 'check';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array' && items?.type === 'string' && items.enum === undefined) return 'texts';
  if (type !== 'string') return 'json';
  return ['code', 'html', 'email'].includes(hints['x-control'] ?? '') ? 'long' : 'text';
}
