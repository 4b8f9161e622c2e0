/** What the forms of step types use of JSON Schema. */
export interface MemberSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: MemberSchema;
  readonly properties?: Readonly<Record<string, MemberSchema>>;
  readonly required?: readonly string[];
  readonly maxItems?: number;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly 'x-labels'?: Readonly<Record<string, string>>;
  readonly 'x-control'?: string;
  readonly 'x-when'?: Values;
  readonly 'x-unless'?: Values;
  readonly 'x-initial'?: unknown;
  readonly 'x-other'?: MemberSchema & { readonly choice: string };
  readonly 'x-cases'?: readonly MemberSchema[];
}

export interface Member extends MemberSchema {
  readonly name: string;
  readonly isRequired: boolean;
}

export type Values = Readonly<Record<string, unknown>>;

/** The members that are asked for with these values, as these values change them. */
export function membersOf({ properties = {}, required = [] }: MemberSchema, values: Values): Member[] {
  const holds = (conditions: Values): boolean =>
    Object.entries(conditions).every(([name, wanted]) =>
      [wanted].flat().includes(values[name] ?? properties[name]?.default),
    );
  return Object.entries(properties)
    .filter(([, { 'x-when': when = {}, 'x-unless': unless }]) => holds(when) && !(unless && holds(unless)))
    .map(([name, member]) => {
      const differing = member['x-cases']?.find(({ 'x-when': when = {} }) => holds(when));
      return { ...member, ...differing, name, isRequired: required.includes(name) };
    });
}

/** What something new begins with. */
export function initialOf(schema: MemberSchema): Values {
  let values: Values = {};
  for (const name of Object.keys(schema.properties ?? {})) {
    const initial = membersOf(schema, values).find((member) => member.name === name)?.['x-initial'];
    if (initial !== undefined) values = { ...values, [name]: initial };
  }
  return values;
}

/**
 * The values after one of them has changed: what is asked for no longer goes, and what is asked for now begins.
 * @param value undefined removes it
 * @param former values that were there before
 */
export function changed(schema: MemberSchema, values: Values, name: string, value: unknown, former: Values): Values {
  const { [name]: _replaced, ...others } = values;
  const next: Record<string, unknown> = value === undefined ? others : { ...others, [name]: value };
  const before = new Map(membersOf(schema, values).map((member) => [member.name, member]));
  const after = membersOf(schema, next);
  for (const { name: asked, 'x-initial': initial } of after) {
    const known = before.get(asked);
    before.delete(asked);
    if (known === undefined) next[asked] ??= former[asked] ?? initial;
    else if (known['x-initial'] !== initial) next[asked] = initial;
  }
  for (const gone of before.keys()) next[gone] = undefined;
  return Object.fromEntries(Object.entries(next).filter(([, one]) => one !== undefined));
}

/** Of an amount, the member that has its unit. */
export function unitNameOf({ name, 'x-control': control }: Member): string | undefined {
  return control === 'duration' ? name.replace(/amount$/, 'unit').replace(/Amount$/, 'Unit') : undefined;
}

/** Which input a member gets. */
export function inputOf({
  type,
  enum: choices,
  items,
  'x-control': control = '',
  'x-other': other,
}: MemberSchema):
  'choice' | 'open' | 'step' | 'check' | 'number' | 'text' | 'texts' | 'rows' | 'long' | 'timed' | 'json' {
  if (choices !== undefined) return 'choice';
  if (type === 'boolean') return 'check';
  if (type === 'integer' || type === 'number') return 'number';
  if (control === 'json') return 'json';
  if (control === 'timed') return 'timed';
  if (type === 'array' && items?.type === 'string' && items.enum === undefined) return 'texts';
  if (type === 'array' && items?.properties !== undefined) return 'rows';
  if (type !== 'string') return 'json';
  if (other !== undefined) return 'open';
  if (control === 'step') return 'step';
  return ['code', 'html', 'email'].includes(control) ? 'long' : 'text';
}
