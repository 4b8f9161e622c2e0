/** A JSON schema, as far as payloads need one. */
export interface PayloadSchema {
  readonly type: 'object' | 'array' | 'boolean' | readonly ['string', 'number'];
  readonly properties?: Readonly<Record<string, PayloadSchema>>;
  readonly required?: readonly string[];
  readonly items?: PayloadSchema;
}

export interface TypedWorkflow {
  /** Trigger identifier. */
  readonly identifier: string;
  readonly name: string;
  readonly description?: string;
  readonly payload: PayloadSchema;
}

/** A value of the payload that templates, conditions or keys of a workflow read. */
export interface Variable {
  /** Path, with dots. */
  readonly name: string;
  readonly type?: string;
}

interface Node {
  type?: string | undefined;
  isRequired: boolean;
  readonly members: Map<string, Node>;
}

/** @param required names without which a trigger is refused */
export function payloadSchema(variables: readonly Variable[], required: ReadonlySet<string>): PayloadSchema {
  const root = newNode();
  for (const { name, type } of variables) place(root, name, type, required.has(name));
  return schemaOf(root);
}

const newNode = (): Node => ({ isRequired: false, members: new Map() });

function place(root: Node, path: string, type: string | undefined, isRequired: boolean): void {
  let at = root;
  for (const key of path.split('.')) {
    const next = at.members.get(key) ?? newNode();
    at.members.set(key, next);
    // What is required is in something that is required.
    next.isRequired ||= isRequired;
    at = next;
  }
  at.type = type;
}

function schemaOf({ type, members }: Node): PayloadSchema {
  if (members.size === 0 && type !== undefined) return leafOf(type);
  const required = [...members].filter(([, { isRequired }]) => isRequired).map(([key]) => key);
  const object: PayloadSchema = {
    type: 'object',
    properties: Object.fromEntries([...members].map(([key, node]) => [key, schemaOf(node)])),
    ...(required.length > 0 && { required }),
  };
  return type === 'Array' ? { type: 'array', items: object } : object;
}

/** The type `String` accepts texts and numbers. */
function leafOf(type: string): PayloadSchema {
  if (type === 'Array') return { type: 'array' };
  return { type: type === 'Boolean' ? 'boolean' : ['string', 'number'] };
}
