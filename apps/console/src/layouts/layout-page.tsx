import type { VNode } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { Link, useLocation, useParams } from 'wouter-preact';
import { ActionButton } from '../access/action-button.js';
import { HistoryLink } from '../ui/history-link.js';
import { bodyOf, dataOf } from '../api/client.js';
import { type Failure, toFailure } from '../api/failure.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { FaultScope } from '../ui/fields.js';
import { Page } from '../ui/page.js';
import { Failed, Loaded } from '../ui/states.js';
import { useToast } from '../ui/toasts.js';
import { LayoutFields } from './layout-fields.js';
import {
  forgetLayoutDraft,
  isSameDraft,
  keepLayoutDraft,
  keptLayoutDraft,
  type Layout,
  type LayoutDraft,
  layoutDraftOf,
  sentLayout,
} from './layout-draft.js';
import { LayoutPreview, useLayoutPreview } from './layout-preview.js';

/** One layout: its HTML, and beside it a mail in it. */
export function LayoutPage(): VNode {
  const api = useApi();
  const { layoutId = '' } = useParams<{ layoutId: string }>();
  const query = useQuery(`layout ${layoutId}`, (signal) =>
    dataOf(api.GET('/v1/layouts/{layoutId}', { params: { path: { layoutId } }, signal })),
  );
  return (
    <Page
      title={query.data?.name ?? 'Layout'}
      above={<Link href="/layouts">← Layouts</Link>}
      actions={query.data && <LayoutActions layout={query.data} onChanged={query.reload} />}
    >
      <Loaded query={query}>
        {(layout) => <LayoutEditor key={layout.__v} layout={layout} onSaved={query.reload} />}
      </Loaded>
    </Page>
  );
}

function LayoutEditor({ layout, onSaved }: { layout: Layout; onSaved: () => void }): VNode {
  const stored = layoutDraftOf(layout);
  const [kept] = useState(() => keptLayoutDraft(layout._id));
  const [version, setVersion] = useState(kept?.version ?? layout.__v);
  const [draft, setDraft] = useState<LayoutDraft>(kept?.draft ?? stored);
  const isChanged = !isSameDraft(draft, stored);
  const { save, isBusy, failure } = useSave(layout, draft, onSaved);
  const preview = useLayoutPreview(draft);
  const change = (next: LayoutDraft): void => {
    setDraft(next);
    keepLayoutDraft(layout._id, { version, draft: next });
  };
  const discard = (): void => {
    forgetLayoutDraft(layout._id);
    setDraft(stored);
    setVersion(layout.__v);
  };
  useLayoutEffect(() => {
    if (!isChanged) forgetLayoutDraft(layout._id);
  }, [isChanged, layout._id]);
  return (
    <>
      <div class="save-bar" role="group" aria-label="Save">
        <span class="save-state">{isChanged ? 'Not saved yet; kept in this tab' : 'Everything is saved'}</span>
        <ActionButton
          needs="updateLayout"
          class="primary"
          disabled={!isChanged || isBusy}
          onClick={() => void save(version)}
        >
          {isBusy ? 'Saving…' : 'Save'}
        </ActionButton>
        <button type="button" disabled={!isChanged || isBusy} onClick={discard}>
          Discard
        </button>
      </div>
      {failure && <Failed failure={failure} />}
      {version !== layout.__v && isChanged && (
        <div class="notice warn" role="alert">
          <p>Somebody else changed this layout since you began.</p>
          <div class="button-line">
            <button type="button" onClick={discard}>
              Show theirs
            </button>
            <ActionButton needs="updateLayout" class="danger" disabled={isBusy} onClick={() => void save(layout.__v)}>
              Overwrite with mine
            </ActionButton>
          </div>
        </div>
      )}
      <div class="layout-editor">
        <FaultScope value={failure?.faults ?? []}>
          <LayoutFields draft={draft} faults={preview.data?.faults ?? []} onDraft={change} />
        </FaultScope>
        <LayoutPreview query={preview} />
      </div>
    </>
  );
}

interface Saving {
  /** @param version that the stored layout must still have */
  readonly save: (version: number) => Promise<void>;
  readonly isBusy: boolean;
  readonly failure: Failure | undefined;
}

function useSave(layout: Layout, draft: LayoutDraft, onSaved: () => void): Saving {
  const api = useApi();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const save = async (version: number): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const body = sentLayout(draft);
      await dataOf(
        api.PATCH('/v1/layouts/{layoutId}', {
          params: { path: { layoutId: layout._id }, header: { 'If-Match': `"${version}"` } },
          body: { ...body, variables: [...body.variables] },
        }),
      );
      forgetLayoutDraft(layout._id);
      toast('The layout is saved. Emails use it from now on.');
      onSaved();
    } catch (error) {
      const found = toFailure(error);
      // The state of somebody else, loaded again, shows that they were faster.
      if (found.code === 'layout_version_changed') onSaved();
      else setFailure(found);
    }
    setBusy(false);
  };
  return { save, isBusy, failure };
}

function LayoutActions({ layout, onChanged }: { layout: Layout; onChanged: () => void }): VNode {
  const api = useApi();
  const toast = useToast();
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<'default' | 'delete'>();
  const params = { path: { layoutId: layout._id } };
  const makeDefault = async (): Promise<void> => {
    await bodyOf(api.POST('/v1/layouts/{layoutId}/default', { params }));
    toast(`${layout.name} is the default layout.`);
    onChanged();
  };
  const remove = async (): Promise<void> => {
    await bodyOf(api.DELETE('/v1/layouts/{layoutId}', { params }));
    toast(`The layout ${layout.name} is deleted.`);
    navigate('/layouts');
  };
  const close = (): void => setOpen(undefined);
  return (
    <>
      <HistoryLink type="layout" id={layout._id} />
      {!layout.isDefault && (
        <ActionButton needs="setDefaultLayout" onClick={() => setOpen('default')}>
          Make default…
        </ActionButton>
      )}
      <ActionButton needs="deleteLayout" class="danger" onClick={() => setOpen('delete')}>
        Delete…
      </ActionButton>
      {open === 'default' && (
        <Confirm
          title={`Make ${layout.name} the default`}
          action="Make default"
          onClose={close}
          onConfirm={makeDefault}
        >
          <p>New email steps without a layout get this one. Steps that exist keep theirs.</p>
        </Confirm>
      )}
      {open === 'delete' && (
        <Confirm title={`Delete ${layout.name}`} action="Delete" isDangerous onClose={close} onConfirm={remove}>
          <p>This is refused for the default layout, and while a workflow uses the layout.</p>
        </Confirm>
      )}
    </>
  );
}
