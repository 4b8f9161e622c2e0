import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useLocation, useSearchParams } from 'wouter-preact';
import { dataOf, inEnvironment, type Schemas } from '../api/client.js';
import { type Failure, toFailure } from '../api/failure.js';
import { type Query, useQuery } from '../api/use-query.js';
import { type Session, useSession } from '../session.js';
import { SelectField } from '../ui/fields.js';
import { Page } from '../ui/page.js';
import { Empty, Failed, Loaded } from '../ui/states.js';
import { ChangeView } from './change-view.js';
import { type Target, targetsOf } from '../environment/promote-link.js';
import { countOf, sentPromotion } from './promotion-words.js';

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
  const asked = sentPromotion(environment._id, workflow, prune);
  const query = useQuery(`promotion ${target._id} ${workflow} ${prune}`, (signal) =>
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
      {done && <Done done={done} {...{ session, target, workflow }} />}
      <Loaded query={query}>
        {(preview) => <Difference {...{ preview, query, target }} isDone={done !== undefined} onPromote={promote} />}
      </Loaded>
    </>
  );
}

interface DifferenceProps {
  readonly preview: Preview;
  readonly query: Query<Preview>;
  readonly target: Target;
  readonly isDone: boolean;
  readonly onPromote: (digest: string) => Promise<void>;
}

function Difference({ preview, query, target, isDone, onPromote }: DifferenceProps): VNode {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const { changes, faults, digest, from } = preview;
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
  if (changes.length === 0 && faults.length === 0) {
    return isDone ? <></> : <Empty title={`${target.name} already has everything that ${from} has`} />;
  }
  const isDeleting = changes.some(({ outcome }) => outcome === 'deleted');
  return (
    <section class="promote-difference" aria-labelledby="difference-heading">
      <h2 id="difference-heading">What changes in {target.name}</h2>
      {faults.length > 0 && (
        <div class="notice bad">
          <p>It cannot be promoted yet:</p>
          <ul>
            {faults.map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        </div>
      )}
      <ul class="promoted">
        {changes.map((change) => (
          <li key={`${change.kind} ${change.name}`}>
            <ChangeView change={change} />
          </li>
        ))}
      </ul>
      {failure && <Failed failure={failure} {...(failure.status !== 400 && { onRetry: again })} />}
      <button
        type="button"
        class={isDeleting ? 'danger' : 'primary'}
        disabled={isBusy || faults.length > 0 || failure?.code === 'promotion_outdated'}
        onClick={() => void promote()}
      >
        {isBusy ? 'Promoting…' : `Promote ${countOf(changes.length, 'change')} to ${target.name}`}
      </button>
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
        {done.fault !== undefined && ` It stopped there: ${done.fault}`}
      </p>
      <button type="button" onClick={open}>
        {workflow === undefined ? `Open ${target.name}` : `Open the workflow in ${target.name}`}
      </button>
    </div>
  );
}
