import type { HeraldClient } from '../files/herald-client.js';
import { KINDS } from '../files/kinds.js';
import { payloadSchema, type TypedWorkflow, type Variable } from './payload-schema.js';

const PAGE_SIZE = 100;

interface ShownWorkflow {
  readonly name: string;
  readonly description?: string;
  readonly triggers: readonly { readonly identifier: string; readonly variables: readonly Variable[] }[];
}
interface DefinedStep {
  readonly active?: boolean;
  readonly template?: { readonly variables?: readonly { readonly name: string; readonly required?: boolean }[] };
  readonly variants?: readonly DefinedStep[];
}

/** All workflows of the environment, sorted, so that what is written changes only with them. */
export async function typedWorkflows(client: HeraldClient): Promise<TypedWorkflow[]> {
  const [shown, required] = [await shownWorkflows(client), await requiredOf(client)];
  const typed = shown.flatMap(({ name, description, triggers }) =>
    triggers.map(({ identifier, variables }) => ({
      identifier,
      name,
      ...(description !== undefined && { description }),
      payload: payloadSchema(variables, required.get(identifier) ?? new Set()),
    })),
  );
  return typed.sort((a, b) => (a.identifier < b.identifier ? -1 : 1));
}

async function shownWorkflows(client: HeraldClient): Promise<ShownWorkflow[]> {
  const found: ShownWorkflow[] = [];
  for (let page = 0; ; page += 1) {
    const { data, hasMore } = await client.call('GET', `/v1/workflows?page=${page}&limit=${PAGE_SIZE}`);
    found.push(...(data as ShownWorkflow[]));
    if (!hasMore) return found;
  }
}

/** By trigger identifier, the variables without which a trigger is refused. */
async function requiredOf(client: HeraldClient): Promise<Map<string, ReadonlySet<string>>> {
  const kind = KINDS.find(({ name }) => name === 'workflow');
  const records = kind === undefined ? [] : await client.list(kind);
  return new Map(
    records.map(({ definition }) => {
      const { identifier, steps = [] } = definition as { identifier: string; steps?: readonly DefinedStep[] };
      const active = steps.filter((step) => step.active !== false).flatMap((step) => [step, ...(step.variants ?? [])]);
      const variables = active.flatMap(({ template }) => template?.variables ?? []);
      return [identifier, new Set(variables.filter((one) => one.required === true).map(({ name }) => name))];
    }),
  );
}
