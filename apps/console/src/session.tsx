import { type ComponentChildren, createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { type Api, createApi, dataOf, type Schemas } from './api/client.js';

/** A signed-in tab. The key is in `api` and nowhere else: a reload asks for it again. */
export interface Session {
  readonly api: Api;
  readonly environment: Schemas['EnvironmentResponse'];
  readonly organization: Schemas['OrganizationResponse'];
  readonly signOut: () => void;
}

const SessionContext = createContext<Session | undefined>(undefined);

export function SessionProvider({ session, children }: { session: Session; children: ComponentChildren }): VNode {
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>;
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('This part of the console needs a session.');
  return session;
}

export function useApi(): Api {
  return useSession().api;
}

/** @throws {ApiFailure} if the key is not accepted */
export async function openSession(key: string, onEnd: (reason?: 'refused') => void): Promise<Session> {
  let isOpen = false;
  const api = createApi(key, () => isOpen && onEnd('refused'));
  const [environment, organization] = await Promise.all([
    dataOf(api.GET('/v1/environments/me')),
    dataOf(api.GET('/v1/organizations/me')),
  ]);
  isOpen = true;
  return { api, environment, organization, signOut: () => onEnd() };
}
