import { readPath } from '#libs/common';
import { printYaml } from './definition-text.js';
import { faultText, ownSchema, type DefinitionFile, type FileFault } from './folder.js';
import { ApiFault, type Change, type HeraldClient, HeraldUnavailable, type RemoteRecord } from './herald-client.js';
import { type Definition, type Kind, KINDS, keyOf, titleOf } from './kinds.js';
import { lineDiff } from './line-diff.js';
import { type UnknownField, unknownFields } from './unknown-fields.js';

/** Fields that the API keeps although it does not know them, so that its answer does not name them. */
const IN_TEMPLATE = /\.template\./;

/** A definition to store: from a file, or from another environment. */
export interface Wanted {
  readonly kind: Kind;
  readonly definition: Definition;
  readonly file?: DefinitionFile;
  /** In the environment that it comes from, for kinds with versions. */
  readonly version?: number;
}

export interface PlannedChange extends Wanted {
  readonly change: Change;
}

export interface Plan {
  readonly changes: readonly PlannedChange[];
  readonly deletions: readonly RemoteRecord[];
  readonly faults: readonly FileFault[];
}

export interface PlanOptions {
  readonly prunedKinds: readonly Kind[];
  /** Whether fields of templates may be unknown. */
  readonly allowsUnknown: boolean;
}

/** Asks Herald what each definition would change. Nothing is stored. */
export async function planOf(
  client: HeraldClient,
  wanted: readonly Wanted[],
  { prunedKinds, allowsUnknown }: PlanOptions,
): Promise<Plan> {
  const keys = new Set(wanted.map(({ kind, definition }) => keyOf(kind, definition)));
  const changes: PlannedChange[] = [];
  const faults: FileFault[] = [];
  for (const item of inOrder(wanted)) {
    const strange = item.file ? await strangersIn(client, item) : [];
    const kept = allowsUnknown ? [] : strange.filter(({ path }) => IN_TEMPLATE.test(path));
    try {
      const { change, unknown } = await client.define(item.kind, item.definition, true);
      const missing = change.missing.filter(({ kind, name }) => !keys.has(keyOfReference(kind, name)));
      faults.push(
        ...unknown.map((path) => describe(item, nearestIn(strange, path))),
        // What the environment already has stays, such as a field of another client.
        ...kept.filter(({ path }) => readPath(change.before, path) === undefined).map((field) => describe(item, field)),
        ...missing.map(({ kind, name, path }) =>
          locate(
            item,
            path,
            `${path}: the environment has no ${kind.replace('-', ' ')} '${name}', and no file creates it. Fix the name, or add a file for it`,
          ),
        ),
      );
      changes.push({ ...item, change });
    } catch (error) {
      // A key that is not accepted is no fault of this definition.
      if (!(error instanceof ApiFault) || error.status === 401 || error.status === 403) throw error;
      faults.push(
        ...error.unknown.map((path) => describe(item, nearestIn(strange, path))),
        ...kept.map((field) => describe(item, field)),
        ...error.faults.map((fault) => locate(item, pathIn(fault), fault)),
      );
    }
  }
  return { changes, deletions: await surplusOf(client, keys, prunedKinds), faults };
}

/** The unknown fields of a file, templates included. */
async function strangersIn(client: HeraldClient, { kind, definition }: Wanted): Promise<UnknownField[]> {
  const served = await client.schema(kind).catch((error: unknown) => {
    // A gateway that lets only /v1 pass.
    if (error instanceof ApiFault || error instanceof HeraldUnavailable) return undefined;
    throw error;
  });
  return unknownFields(definition, served ?? (JSON.parse(ownSchema(kind.name)) as object));
}

function nearestIn(fields: readonly UnknownField[], path: string): UnknownField {
  return fields.find((field) => field.path === path) ?? { path };
}

function describe(item: Wanted, { path, nearest }: UnknownField): FileFault {
  const advice = nearest === undefined ? 'Fix or remove it' : `Did you mean ${nearest}?`;
  return locate(item, path, `${path} is not a field that Herald knows. ${advice}`);
}

async function surplusOf(
  client: HeraldClient,
  keys: ReadonlySet<string>,
  kinds: readonly Kind[],
): Promise<RemoteRecord[]> {
  const deletions: RemoteRecord[] = [];
  // What refers to others goes before them.
  for (const kind of [...kinds].reverse()) {
    const records = await client.list(kind);
    deletions.push(...records.filter(({ definition }) => !keys.has(keyOf(kind, definition))));
  }
  return deletions;
}

function inOrder(wanted: readonly Wanted[]): Wanted[] {
  return KINDS.flatMap((kind) => wanted.filter((item) => item.kind.name === kind.name));
}

function keyOfReference(kind: string, name: string): string {
  return JSON.stringify([kind, name]);
}

/** Names the place of a fault in its file, or the record where there is no file. */
export function locate({ kind, definition, file }: Wanted, path: string, message: string): FileFault {
  if (file === undefined) return `${titleOf(kind, definition)}: ${message}`;
  return faultText(file.path, { ...file.text.placeOf(path), message });
}

/** The path that a fault of the API begins with; empty if it begins with none. */
export function pathIn(fault: string): string {
  return /^([\w$-]+(?:\.[\w$-]+)*) /.exec(fault)?.[1] ?? '';
}

/** What a plan changes, for a reader. */
export function describePlan({ changes, deletions }: Plan): string[] {
  const shown = changes.filter(({ change }) => change.outcome !== 'unchanged');
  return [
    ...shown.flatMap(({ kind, definition, change: { outcome, before, after } }) => [
      `${outcome === 'created' ? 'create' : 'update'} ${titleOf(kind, definition)}`,
      ...lineDiff(before === null ? '' : printYaml(before), printYaml(after)).map((line) => `    ${line}`),
    ]),
    ...deletions.map(({ kind, definition }) => `delete ${titleOf(kind, definition)}`),
  ];
}

/** Number of records that a plan changes. */
export function sizeOf({ changes, deletions }: Plan): number {
  return changes.filter(({ change }) => change.outcome !== 'unchanged').length + deletions.length;
}
