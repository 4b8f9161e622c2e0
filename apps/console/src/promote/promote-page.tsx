import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useLocation, useSearchParams } from 'wouter-preact';
import { plainWords } from '../api/plain-words.js';
import { ActionButton } from '../access/action-button.js';
import { dataOf, inEnvironment, type Schemas } from '../api/client.js';
import { type Failure, toFailure } from '../api/failure.js';
import { type Query, useQuery } from '../api/use-query.js';
import { type Session, useSession } from '../session.js';
import { SelectField } from '../ui/fields.js';
import { Page } from '../ui/page.js';
import { Empty, Failed, Loaded } from '../ui/states.js';
import { ChangeView } from './change-view.js';
import { type Target, targetsOf } from '../environment/promote-link.js';
import { countOf, sentPromotion, titleOf } from './promotion-words.js';

type Preview = Schemas['PromotionPreviewResponse'];
type Promoted = Schemas['PromotionResponse'];

/** Shows what differs from another environment, and brings it there: one workflow, or everything. */
export function PromotePage(): VNode {
  const session = useSession();
  const [parameters, setParameters] = useSearchParams();
  const workflow = parameters.get('workflow') ?? undefined;
  const targets = targetsOf(session);
  const target = targets.find(({ _id }) => _id === parameters.get('to')) ?? targets[0];
  const choose = (to: string): void => {
    const next = new URLSearchParams(parameters);
    next.set('to', to);
    setParameters(next, { replace: true });
  };
  return (
    <Page
      title={workflow === undefined ? 'Promote' : `Promote ${workflow}`}
      above={
        workflow === undefined ? (
          <Link href="/workflows">← Workflows</Link>
        ) : (
          <Link href={`/workflows/${encodeURIComponent(workflow)}`}>← Workflow</Link>
        )
      }
    >
      {target === undefined ? (
        <NoTarget session={session} />
      ) : (
        <>
          <p class="note intro">
            {workflow === undefined
              ? `Workflows, layouts, translations, feeds, groups, budgets and overrides for tenants of ${session.environment.name} replace those of the other environment. Integrations, tenants and subscribers are never promoted.`
              : `The workflow of ${session.environment.name}, with the group, feeds and layouts that it names, replaces that of the other environment. Nothing is deleted.`}
          </p>
          <div class="promote-to">
            <SelectField
              label="To"
              value={target._id}
              choices={targets.map(({ _id, name }) => ({ value: _id, label: name }))}
              onChange={choose}
            />
          </div>
          <Promotion key={`${target._id} ${workflow ?? ''}`} {...{ session, target, workflow }} />
        </>
      )}
    </Page>
  );
}

function NoTarget({ session: { person } }: { session: Session }): VNode {
  if (person === undefined) {
    return (
      <Empty title="An API key belongs to one environment">
        <p>
          Sign in by email to promote here, or use <code>herald promote</code> with a key of each environment.
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="There is no environment to promote to">
      <p>You need to be an editor or owner of another environment. Ask one of its owners.</p>
    </Empty>
  );
}

interface PromotionProps {
  readonly session: Session;
  readonly target: Target;
  readonly workflow: string | undefined;
}

function Promotion({ session, target, workflow }: PromotionProps): VNode {
  const { api, environment } = session;
  const [prune, setPrune] = useState(false);
  const [done, setDone] = useState<Promoted>();
  const [leftOut, setLeftOut] = useState<readonly Named[]>([]);
  const asked = sentPromotion(
    environment._id,
    workflow,
    prune,
    leftOut.map(({ key }) => key),
  );
  const query = useQuery(`promotion ${target._id} ${JSON.stringify(asked)}`, (signal) =>
    dataOf(api.POST('/v1/promotions/preview', { body: asked, headers: inEnvironment(target._id), signal })),
  );
  const promote = async (digest: string): Promise<void> => {
    const body = { ...asked, digest };
    setDone(await dataOf(api.POST('/v1/promotions', { body, headers: inEnvironment(target._id) })));
    query.reload();
  };
  return (
    <>
      {workflow === undefined && (
        <label class="check">
          <input type="checkbox" checked={prune} onChange={(event) => setPrune(event.currentTarget.checked)} />
          <span>
            Also delete what {environment.name} does not have from {target.name}
          </span>
        </label>
      )}
      <LeftOut leftOut={leftOut} onBack={(one) => setLeftOut(leftOut.filter(({ key }) => key !== one.key))} />
      {done && <Done done={done} {...{ session, target, workflow }} />}
      <Loaded query={query}>
        {(preview) => (
          <Difference
            {...{ preview, query, target }}
            isDone={done !== undefined}
            onPromote={promote}
            onLeaveOut={(one) => setLeftOut([...leftOut, one])}
          />
        )}
      </Loaded>
    </>
  );
}

/** A record of the promotion. */
type Named = Pick<Preview['refusals'][number], 'key' | 'kind' | 'name'>;

/** What stays as it is in the other environment, and the way back. */
function LeftOut({ leftOut, onBack }: { leftOut: readonly Named[]; onBack: (one: Named) => void }): VNode | null {
  if (leftOut.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="left-out-heading">
      <h2 id="left-out-heading">Left out</h2>
      <ul class="promoted">
        {leftOut.map((one) => (
          <li key={one.key} class="button-line">
            <span>{titleOf(one)}</span>
            <button type="button" class="small" onClick={() => onBack(one)}>
              Promote as well<span class="unseen"> {titleOf(one)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function LeaveOutButton({ one, onLeaveOut }: { one: Named; onLeaveOut: (one: Named) => void }): VNode {
  return (
    <button type="button" class="small" onClick={() => onLeaveOut(one)}>
      Leave out<span class="unseen"> {titleOf(one)}</span>
    </button>
  );
}

interface DifferenceProps {
  readonly preview: Preview;
  readonly query: Query<Preview>;
  readonly target: Target;
  readonly isDone: boolean;
  readonly onPromote: (digest: string) => Promise<void>;
  readonly onLeaveOut: (one: Named) => void;
}

function Difference({ preview, query, target, isDone, onPromote, onLeaveOut }: DifferenceProps): VNode {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const { changes, refusals, digest, from } = preview;
  const promote = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await onPromote(digest);
    } catch (error) {
      setFailure(toFailure(error));
    }
    setBusy(false);
  };
  const again = (): void => {
    setFailure(undefined);
    query.reload();
  };
  if (changes.length === 0 && refusals.length === 0) {
    return isDone ? <></> : <Empty title={`${target.name} already has everything that ${from} has`} />;
  }
  const isDeleting = changes.some(({ outcome }) => outcome === 'deleted');
  return (
    <section class="promote-difference" aria-labelledby="difference-heading">
      <h2 id="difference-heading">What changes in {target.name}</h2>
      {refusals.length > 0 && (
        <div class="notice bad">
          <p>It cannot be promoted yet. Mend these, or leave them out:</p>
          <ul>
            {refusals.map((one) => (
              <li key={one.fault}>
                {plainWords(one.fault)} <LeaveOutButton one={one} onLeaveOut={onLeaveOut} />
              </li>
            ))}
          </ul>
        </div>
      )}
      <ul class="promoted">
        {changes.map((change) => (
          <li key={`${change.kind} ${change.name}`}>
            <ChangeView change={change} />
            <LeaveOutButton one={change} onLeaveOut={onLeaveOut} />
          </li>
        ))}
      </ul>
      {failure && <Failed failure={failure} {...(failure.status !== 400 && { onRetry: again })} />}
      <ActionButton
        needs="promote"
        class={isDeleting ? 'danger' : 'primary'}
        disabled={isBusy || refusals.length > 0 || changes.length === 0 || failure?.code === 'promotion_outdated'}
        onClick={() => void promote()}
      >
        {isBusy ? 'Promoting…' : `Promote ${countOf(changes.length, 'change')} to ${target.name}`}
      </ActionButton>
    </section>
  );
}

function Done({ done, session, target, workflow }: PromotionProps & { readonly done: Promoted }): VNode {
  const [, navigate] = useLocation();
  const open = (): void => {
    navigate(workflow === undefined ? '/workflows' : `/workflows/${encodeURIComponent(workflow)}`);
    session.person?.switchTo(target._id);
  };
  return (
    <div class={done.fault === undefined ? 'notice good' : 'notice warn'} role="status">
      <p>
        {done.changes.length === 1 ? '1 change was' : `${done.changes.length} changes were`} promoted to {target.name}.
        {done.fault !== undefined && ` It stopped there: ${plainWords(done.fault)}`}
      </p>
      <button type="button" onClick={open}>
        {workflow === undefined ? `Open ${target.name}` : `Open the workflow in ${target.name}`}
      </button>
    </div>
  );
}
