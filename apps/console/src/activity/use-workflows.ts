import { bodyOf, type Schemas } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';

/** The newest hundred workflows, for choices. */
export function useWorkflows(): readonly Schemas['WorkflowSummaryResponse'][] {
  const api = useApi();
  const { data } = useQuery('workflows', (signal) =>
    bodyOf(api.GET('/v1/workflows', { params: { query: { limit: 100 } }, signal })),
  );
  return data?.data ?? [];
}
