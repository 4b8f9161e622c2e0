import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { type Api, dataOf, type Schemas } from '../api/client.js';
import { type Failure, toFailure } from '../api/failure.js';
import { type Draft, sentDraft } from '../drafts/draft.js';
import { useApi } from '../session.js';
import { Failed } from '../ui/states.js';
import { namedFailure } from './step-faults.js';
import {
  type ImpactChange,
  type ImpactFigures,
  impactHeadline,
  impactNotes,
  outcomeWords,
  withAnswer,
} from './impact-words.js';

const EXAMPLES = 5;
const PAUSE_MS = 1_000;
const MAX_PAUSES = 15;

interface Props {
  readonly workflowId: string;
  readonly draft: Draft;
  readonly isChanged: boolean;
}

/** Compares the draft with the saved workflow on notifications of the last days, when it is asked to. */
export function ImpactPanel({ workflowId, draft, isChanged }: Props): VNode | null {
  const { figures, failure, isRunning, asked, look, stop } = useImpact(workflowId);
  if (!isChanged) return null;
  const isOld = asked !== undefined && asked !== draft;
  return (
    <section class="impact" aria-label="Who would get another result">
      <div class="button-line">
        <button type="button" class="small" disabled={isRunning} onClick={() => look(draft)}>
          {asked === undefined || !isOld ? 'Who would get another result?' : 'Look again'}
        </button>
        {isRunning && (
          <>
            <progress max={figures?.sample ?? 1} value={figures?.lookedAt ?? 0} aria-label="Notifications looked at" />
            <span class="soft" role="status">
              {figures
                ? `${figures.lookedAt.toLocaleString('en')} of ${figures.sample.toLocaleString('en')}`
                : 'Looking…'}
            </span>
            <button type="button" class="small quiet" onClick={stop}>
              Cancel
            </button>
          </>
        )}
        {!isRunning && isOld && <span class="soft">You have changed the workflow since.</span>}
      </div>
      {failure && <Failed failure={namedFailure(draft.steps, failure)} />}
      {figures && !isRunning && <Found figures={figures} />}
    </section>
  );
}

function Found({ figures }: { readonly figures: ImpactFigures }): VNode {
  const examples = [...figures.people.values()].slice(0, EXAMPLES);
  return (
    <div class="panel">
      <p role="status">
        <strong>{impactHeadline(figures)}</strong>
      </p>
      {impactNotes(figures).map((note) => (
        <p key={note} class="soft">
          {note}
        </p>
      ))}
      {examples.length > 0 && (
        <>
          {figures.people.size > examples.length && <p class="soft">Five of them:</p>}
          <ul class="impact-people">
            {examples.map((change) => (
              <Person key={change.subscriberId} change={change} />
            ))}
          </ul>
        </>
      )}
      <p class="note">Judged with the preferences, addresses and integrations of now. Nothing was saved or sent.</p>
    </div>
  );
}

function Person({ change: { subscriberId, notificationId, before, after } }: { readonly change: ImpactChange }): VNode {
  return (
    <li>
      <Link href={`/subscribers/${encodeURIComponent(subscriberId)}`}>{subscriberId}</Link>
      <dl class="text-heads">
        <div>
          <dt class="soft">As saved</dt>
          <dd>{outcomeWords(before)}</dd>
        </div>
        <div>
          <dt class="soft">With your changes</dt>
          <dd>{outcomeWords(after)}</dd>
        </div>
      </dl>
      <Link href={`/notifications/${notificationId}`}>What they got</Link>
    </li>
  );
}

interface Looking {
  readonly figures: ImpactFigures | undefined;
  readonly failure: Failure | undefined;
  readonly isRunning: boolean;
  /** The draft that was looked at. */
  readonly asked: Draft | undefined;
  readonly look: (draft: Draft) => void;
  readonly stop: () => void;
}

function useImpact(workflowId: string): Looking {
  const api = useApi();
  const [figures, setFigures] = useState<ImpactFigures>();
  const [failure, setFailure] = useState<Failure>();
  const [isRunning, setRunning] = useState(false);
  const [asked, setAsked] = useState<Draft>();
  const running = useRef<AbortController>();
  const stop = (): void => running.current?.abort();
  useEffect(() => stop, [workflowId]);
  const run = async (draft: Draft): Promise<void> => {
    stop();
    const own = new AbortController();
    running.current = own;
    setAsked(draft);
    setFigures(undefined);
    setFailure(undefined);
    setRunning(true);
    try {
      await lookAtAll(api, { workflowId, body: sentDraft(draft), signal: own.signal }, setFigures);
    } catch (error) {
      if (!own.signal.aborted) setFailure(toFailure(error));
    }
    if (running.current === own) setRunning(false);
  };
  return { figures, failure, isRunning, asked, look: (draft) => void run(draft), stop };
}

interface Asked {
  readonly workflowId: string;
  readonly body: Schemas['UpdateWorkflowDto'];
  readonly signal: AbortSignal;
}

/** One answer after the other. @param onFigures gets what they have found together */
async function lookAtAll(api: Api, asked: Asked, onFigures: (figures: ImpactFigures) => void): Promise<void> {
  let figures: ImpactFigures | undefined;
  let cursor: string | undefined;
  do {
    const answer = await answerTo(api, asked, cursor);
    figures = withAnswer(figures, answer);
    cursor = answer.next;
    onFigures(figures);
  } while (cursor !== undefined && !asked.signal.aborted);
}

/** Somebody else may be looking, or many messages may be waiting to be rendered: then it waits for its turn. */
async function answerTo(
  api: Api,
  { workflowId, body, signal }: Asked,
  cursor: string | undefined,
): Promise<Schemas['ImpactResponse']> {
  const params = { path: { workflowId }, query: { ...(cursor !== undefined && { cursor }) } };
  for (let pauses = 0; ; pauses++) {
    try {
      return await dataOf(api.POST('/v1/workflows/{workflowId}/impact', { params, body, signal }));
    } catch (error) {
      const isBusy = ['impact_busy', 'rendering_busy'].includes(toFailure(error).code);
      if (signal.aborted || !isBusy || pauses === MAX_PAUSES) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
