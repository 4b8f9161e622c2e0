import { armsAround, type Place, type TakenArm } from '../../drafts/places.js';
import { armsOf, type DraftStep } from '../../drafts/draft.js';

export const CARD_WIDTH = 248;
const BETWEEN_ARMS = 36;
/** Above the arms: where the lines part, and their names. */
const PARTING = 56;
const JOINING = 28;
const CURVE = 10;
const START_HEIGHT = 32;

/** Heights of a card, and of what is between two of them. */
export interface Heights {
  readonly card: number;
  readonly gap: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The name of an arm, above what stands in it. */
export interface ArmName extends Point, TakenArm {
  /** Its branch or split is not directly above: other steps come between. */
  readonly isAgain: boolean;
}

/** Where everything of a workflow stands. Points of cards are their upper left corners, others their middles. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly start: Point;
  readonly end: Point;
  /** A card for each step, in their order. */
  readonly cards: readonly Point[];
  readonly arms: readonly ArmName[];
  readonly places: readonly (Point & Place)[];
  /** Paths of SVG. */
  readonly lines: readonly string[];
}

interface Arm {
  readonly name: string;
  readonly flow: Flow;
}

/** A step, or the arms of a branch or split side by side. */
type Part =
  | { readonly from: number; readonly to: number; readonly arms?: undefined }
  | { readonly from: number; readonly to: number; readonly decider: number; readonly arms: readonly Arm[] };

/** What runs one after another: the whole workflow, or one arm. */
interface Flow {
  readonly parts: readonly Part[];
  readonly branch: DraftStep['branch'];
  /** Where the first step of an empty one would stand. */
  readonly begin: number;
}

/**
 * Steps run in the order of the list. A row of steps that stand in arms of the same branch becomes its arms side by side; where other steps
 * come between, the arms are shown once more after them.
 */
export function layoutOf(steps: readonly DraftStep[], heights: Heights): Layout {
  const chains = steps.map((_, at) => armsAround(steps, at));
  const flow = flowOf(
    { steps, chains },
    steps.map((_, at) => at),
    { depth: 0, branch: undefined, begin: 0 },
  );
  const drawing = new Drawing(heights);
  const width = drawing.widthOf(flow);
  const start = { x: width / 2, y: START_HEIGHT / 2 };
  const end = { x: width / 2, y: drawing.draw(flow, width / 2, START_HEIGHT) };
  return {
    width,
    height: end.y + CURVE,
    start,
    end,
    cards: steps.map((_, at) => drawing.cards.get(at) ?? start),
    arms: drawing.arms,
    places: drawing.places,
    lines: drawing.lines,
  };
}

interface Known {
  readonly steps: readonly DraftStep[];
  readonly chains: readonly (readonly TakenArm[])[];
}

interface Where extends Pick<Flow, 'branch' | 'begin'> {
  /** How many arms are around it. */
  readonly depth: number;
}

function flowOf(known: Known, members: readonly number[], { depth, branch, begin }: Where): Flow {
  const deciderOf = (at: number): number | undefined => known.chains[at]?.[depth]?.decider;
  const parts: Part[] = [];
  for (let place = 0; place < members.length;) {
    const from = members[place] as number;
    const decider = deciderOf(from);
    if (decider === undefined) {
      parts.push({ from, to: from + 1 });
      place += 1;
      const arms = armsOf(known.steps[from] as DraftStep);
      const isEmpty = arms.length > 0 && !members.some((at) => deciderOf(at) === from);
      if (isEmpty) parts.push(forkOf(known, [], { decider: from, depth, begin: from + 1 }));
    } else {
      const end = members.findIndex((at, index) => index > place && deciderOf(at) !== decider);
      const row = members.slice(place, end < 0 ? undefined : end);
      parts.push(forkOf(known, row, { decider, depth, begin: from }));
      place += row.length;
    }
  }
  return { parts, branch, begin };
}

interface ForkPlace {
  readonly decider: number;
  readonly depth: number;
  readonly begin: number;
}

function forkOf(known: Known, row: readonly number[], { decider, depth, begin }: ForkPlace): Part {
  const step = known.steps[decider] as DraftStep;
  const armOf = (at: number): string | undefined => known.chains[at]?.[depth]?.arm;
  const names = new Set([...armsOf(step), ...row.flatMap((at) => armOf(at) ?? [])]);
  const arms = [...names].map((name) => {
    const branch = { step: step.stepId ?? step.uuid, arm: name };
    const inIt = row.filter((at) => armOf(at) === name);
    return { name, flow: flowOf(known, inIt, { depth: depth + 1, branch, begin }) };
  });
  return { from: begin, to: (row.at(-1) ?? begin - 1) + 1, decider, arms };
}

class Drawing {
  readonly cards = new Map<number, Point>();
  readonly arms: ArmName[] = [];
  readonly places: (Point & Place)[] = [];
  readonly lines: string[] = [];

  constructor(private readonly heights: Heights) {}

  widthOf({ parts }: Flow): number {
    return Math.max(CARD_WIDTH, ...parts.map((part) => (part.arms ? this.widthOfArms(part.arms) : CARD_WIDTH)));
  }

  private widthOfArms(arms: readonly Arm[]): number {
    return arms.reduce((sum, { flow }) => sum + this.widthOf(flow), BETWEEN_ARMS * (arms.length - 1));
  }

  /** @returns where it ends */
  draw({ parts, branch, begin }: Flow, x: number, top: number): number {
    let y = this.gap(x, top, { at: parts[0]?.from ?? begin, branch });
    for (const [index, part] of parts.entries()) {
      if (part.arms) {
        y = this.drawArms(part, { x, y, isAgain: parts[index - 1]?.from !== part.decider });
      } else {
        this.cards.set(part.from, { x: x - CARD_WIDTH / 2, y });
        y += this.heights.card;
      }
      const next = parts[index + 1];
      // Nothing comes between a branch and its arms.
      if (next?.arms && next.decider === part.from) continue;
      y = this.gap(x, y, { at: part.to, branch });
    }
    return y;
  }

  private gap(x: number, y: number, place: Place): number {
    const { gap } = this.heights;
    this.lines.push(`M${x} ${y}V${y + gap}`);
    this.places.push({ x, y: y + gap / 2, ...place });
    return y + gap;
  }

  private drawArms(
    { decider, arms }: Part & { readonly arms: readonly Arm[] },
    { x, y, isAgain }: Point & Pick<ArmName, 'isAgain'>,
  ): number {
    let left = x - this.widthOfArms(arms) / 2;
    const ends = arms.map(({ name, flow }): Point => {
      const middle = left + this.widthOf(flow) / 2;
      left += this.widthOf(flow) + BETWEEN_ARMS;
      this.lines.push(elbow({ x, y }, { x: middle, y: y + PARTING }, y + CURVE));
      this.arms.push({ x: middle, y: y + PARTING / 2 + CURVE, decider, arm: name, isAgain });
      return { x: middle, y: this.draw(flow, middle, y + PARTING) };
    });
    const joint = Math.max(...ends.map((end) => end.y));
    for (const end of ends) this.lines.push(elbow(end, { x, y: joint + JOINING }, joint + JOINING - CURVE));
    return joint + JOINING;
  }
}

/** Down, to the side at the height `bend`, and down again. */
function elbow(from: Point, to: Point, bend: number): string {
  if (from.x === to.x) return `M${from.x} ${from.y}V${to.y}`;
  const side = from.x < to.x ? CURVE : -CURVE;
  return (
    `M${from.x} ${from.y}V${bend - CURVE}Q${from.x} ${bend} ${from.x + side} ${bend}` +
    `H${to.x - side}Q${to.x} ${bend} ${to.x} ${bend + CURVE}V${to.y}`
  );
}
