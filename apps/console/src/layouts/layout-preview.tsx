import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { dataOf, type Schemas } from '../api/client.js';
import { type Query, useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { MailWindow } from '../ui/mail-window.js';
import { Failed, Loading } from '../ui/states.js';
import { type LayoutDraft, sentLayout } from './layout-draft.js';

type Preview = Schemas['LayoutPreviewResponse'];
const AFTER_MS = 300;

/** Renders the layout that is being written, once typing pauses. */
export function useLayoutPreview(draft: LayoutDraft): Query<Preview> {
  const api = useApi();
  const { content, variables } = sentLayout(draft);
  const text = JSON.stringify({ content, variables });
  const [asked, ask] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => ask(text), AFTER_MS);
    return () => window.clearTimeout(timer);
  }, [text]);
  const query = useQuery(asked, (signal) =>
    dataOf(api.POST('/v1/layouts/preview', { body: JSON.parse(asked) as Schemas['PreviewLayoutDto'], signal })),
  );
  const [last, setLast] = useState<Preview>();
  useEffect(() => {
    if (query.data !== undefined) setLast(query.data);
  }, [query.data]);
  return { ...query, data: query.data ?? last };
}

/** A sample mail in the layout, as wide as on a desk or on a phone. */
export function LayoutPreview({ query: { data, failure, reload, isLoading } }: { query: Query<Preview> }): VNode {
  return (
    <section class="panel live-preview" aria-label="Preview" aria-busy={isLoading}>
      <h2>Preview</h2>
      {failure && <Failed failure={failure} onRetry={reload} />}
      {data && data.faults.length > 0 && <p class="notice bad">The layout cannot be rendered.</p>}
      {data?.content === undefined ? (
        !failure && !data && <Loading lines={3} />
      ) : (
        <MailWindow html={data.content} title="Sample message" text={data.text} />
      )}
    </section>
  );
}
