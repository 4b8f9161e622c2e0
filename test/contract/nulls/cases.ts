import type { Json } from '../../support/answers.js';
import type { Caller, World } from './world.js';

/** Paths, or the first member of paths, with the reason. */
export type Reasons = Readonly<Record<string, string>>;

/** A request whose absent fields have defaults: null must be answered like absence. */
export interface NewCase {
  readonly by?: Caller;
  /** Default: the path of the operation. */
  readonly path?: (world: World, body: Json) => string;
  /** A valid body with as many fields as can be together. */
  readonly body: (world: World) => Json | Promise<Json>;
  /** What is read afterwards. */
  readonly reads?: (sent: Json, data: Json) => readonly string[];
  /** Path that deletes what was made, where there may not be many. */
  readonly remove?: (data: Json) => string;
  /** The answer comes before the work. */
  readonly delivers?: true;
  /** Null is not what absence is. */
  readonly own?: Reasons;
  /** Nested fields are those of another case. */
  readonly isShallow?: true;
}

export interface Target {
  readonly path: string;
  /** Default: what the change answers. */
  readonly read?: string;
  /** Default: the caller of the case. */
  readonly by?: Caller;
}

/** A change of a record: null must leave it as if it never had the value. */
export interface ChangeCase extends NewCase {
  /** Makes a record of its own by what the body says. */
  readonly record: (world: World, body: Json) => Promise<Target>;
  /** What is sent of the body; default: all of it. */
  readonly sent?: readonly string[];
  /** Top-level fields that null leaves as they are. */
  readonly kept?: Reasons;
  /** What no answer shows. */
  readonly unseen?: Reasons;
}

export const isChange = (one: NewCase | ChangeCase): one is ChangeCase => 'record' in one;
