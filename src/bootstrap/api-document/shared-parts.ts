import type { Answer, ErrorExample, Operation, Parameter } from './openapi.types.js';

/** By component name. */
export interface SharedParts {
  readonly responses: Record<string, Answer>;
  readonly parameters: Record<string, Parameter>;
}

/**
 * Moves repeated error responses and parameters to components. Error responses are equal if status, meaning and texts
 * are; paths and invalid fields of the first one stand for all.
 */
export function shareParts(operations: readonly Operation[]): SharedParts {
  const responses = new Pool<Answer>('responses', nameOfAnswer, meaningOfAnswer);
  const parameters = new Pool<Parameter>('parameters', nameOfParameter, (parameter) => JSON.stringify(parameter));
  for (const operation of operations) {
    for (const [status, answer] of Object.entries(operation.responses)) {
      if (Number(status) >= 400) responses.add(answer, (shared) => (operation.responses[status] = shared));
    }
    operation.parameters?.forEach((parameter, index, all) =>
      parameters.add(parameter, (shared) => (all[index] = shared)),
    );
  }
  return { responses: responses.share(), parameters: parameters.share() };
}

/** More codes make no readable name. */
const MAX_CODES = 3;

/** `SubscriberNotFound`, `WorkflowNotFoundOrTenantNotFound`; empty: not shared. */
function nameOfAnswer({ content }: Answer): string {
  const codes = Object.keys(content?.['application/json']?.examples ?? {});
  return codes.length > MAX_CODES ? '' : codes.map(pascal).join('Or');
}

function meaningOfAnswer({ description, content }: Answer): string {
  const bodies = Object.values(content?.['application/json']?.examples ?? {}).map(({ value }) => value as ErrorExample);
  const texts = bodies.filter(({ code }) => code !== 'validation_failed').map(({ message }) => message);
  return JSON.stringify([description, texts]);
}

const nameOfParameter = ({ name }: Parameter): string => pascal(name);

function pascal(text: string): string {
  return text
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

interface Group<T> {
  readonly part: T;
  readonly replace: ((reference: T) => void)[];
}

class Pool<T extends object> {
  private readonly groups = new Map<string, Group<T>>();

  constructor(
    private readonly kind: keyof SharedParts,
    private readonly nameOf: (part: T) => string,
    private readonly identityOf: (part: T) => string,
  ) {}

  add(part: T, replace: (reference: T) => void): void {
    const name = this.nameOf(part);
    if (name === '') return;
    const key = `${name} ${this.identityOf(part)}`;
    const group = this.groups.get(key) ?? { part, replace: [] };
    group.replace.push(replace);
    this.groups.set(key, group);
  }

  /** The most frequent part of a name becomes the component; the others stay in place. */
  share(): Record<string, T> {
    const shared: Record<string, T> = {};
    const frequentFirst = [...this.groups.values()].sort((a, b) => b.replace.length - a.replace.length);
    for (const { part, replace } of frequentFirst) {
      const name = this.nameOf(part);
      if (replace.length === 1 || Object.hasOwn(shared, name)) continue;
      shared[name] = part;
      for (const put of replace) put({ $ref: `#/components/${this.kind}/${name}` } as unknown as T);
    }
    return byName(shared);
  }
}

/** In an order that does not follow from that of modules. */
export function byName<T>(parts: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
