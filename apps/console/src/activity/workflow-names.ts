interface Named {
  readonly _id: string;
  readonly name: string;
  readonly triggers: readonly { readonly identifier: string }[];
}

/** @returns the name of a workflow, with its identifier where another one of these has the same name */
export function workflowNames(workflows: readonly Named[]): (workflow: Pick<Named, '_id' | 'name'>) => string {
  const counts = new Map<string, number>();
  for (const { name } of workflows) counts.set(name, (counts.get(name) ?? 0) + 1);
  const identifiers = new Map(workflows.map(({ _id, triggers: [trigger] }) => [_id, trigger?.identifier]));
  return ({ _id, name }) => {
    const identifier = identifiers.get(_id);
    return (counts.get(name) ?? 0) > 1 && identifier !== undefined ? `${name} (${identifier})` : name;
  };
}
