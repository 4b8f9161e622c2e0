import type { VNode } from 'preact';
import { typeLabel } from '../../activity/words.js';
import type { DraftStep } from '../../drafts/draft.js';
import { lineOf, titleOf } from '../../drafts/step-words.js';
import { useStepType } from '../../step-types/step-types.js';
import { ChannelGlyph } from '../../ui/channel-glyph.js';
import { cardFigures, type StepFigures } from '../figure-words.js';
import { CARD_WIDTH } from './layout.js';
import type { Point } from './view.js';

interface Props {
  readonly step: DraftStep;
  readonly steps: readonly DraftStep[];
  readonly at: number;
  readonly point: Point;
  readonly height: number;
  readonly figures: StepFigures | undefined;
  readonly isChosen: boolean;
  readonly isFaulty: boolean;
  readonly isDragged: boolean;
  readonly isMovable: boolean;
  readonly onChoice: () => void;
  readonly onFocus: () => void;
}

const WAITS: readonly string[] = ['delay', 'digest', 'throttle', 'wait_for_event'];

/** A step: what it is, what it does or sends, and what became of it. */
export function CanvasCard(props: Props): VNode {
  const { step, at, point, height, figures, onChoice, onFocus } = props;
  const { type } = step.template;
  const known = useStepType(type);
  return (
    <li
      class="canvas-place"
      style={{ left: `${point.x}px`, top: `${point.y}px`, width: `${CARD_WIDTH}px`, height: `${height}px` }}
    >
      <button
        type="button"
        class={classOf(props)}
        data-step={at}
        aria-current={props.isChosen ? 'true' : undefined}
        onClick={onChoice}
        onFocus={onFocus}
      >
        <span class="canvas-card-head">
          <ChannelGlyph type={type} />
          <span class="canvas-card-name">
            <span class="soft">{at + 1}.</span> {titleOf(step)}
            {step.name && <span class="unseen"> {typeLabel(type)}</span>}
          </span>
          <Marks {...props} />
        </span>
        <span class="canvas-card-line soft">{lineOf(step, known) || typeLabel(type)}</span>
        {figures && <Figures figures={figures} />}
      </button>
    </li>
  );
}

function classOf({ step, isDragged, isMovable }: Props): string {
  const waits = WAITS.includes(step.template.type);
  return ['canvas-card', waits && 'waits', !step.active && 'off', isDragged && 'dragged', isMovable && 'movable']
    .filter(Boolean)
    .join(' ');
}

function Marks({ step: { branch, filters, variants, active, template }, isFaulty }: Props): VNode {
  const versions = template.type === 'branch' ? 0 : variants.length;
  return (
    <>
      {branch && <span class="unseen"> in the arm “{branch.arm}”</span>}
      {filters.some(({ children }) => children.length > 0) && (
        <span class="canvas-mark" title="Has conditions">
          if<span class="unseen"> its conditions are met</span>
        </span>
      )}
      {versions > 0 && (
        <span class="canvas-mark">
          +{versions}
          <span class="unseen"> variants</span>
        </span>
      )}
      {!active && <span class="canvas-mark">off</span>}
      {isFaulty && (
        <span class="bad-text">
          !<span class="unseen"> was refused</span>
        </span>
      )}
    </>
  );
}

function Figures({ figures }: { figures: StepFigures }): VNode {
  return (
    <span class="canvas-figures">
      {cardFigures(figures).map(({ name, value, share }) => (
        <span key={name} class={name === 'Failed' ? 'bad-text' : undefined}>
          <strong>{value}</strong> <span class="soft">{share || name.toLowerCase()}</span>
        </span>
      ))}
    </span>
  );
}
