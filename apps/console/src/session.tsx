import { type ComponentChildren, createContext, type VNode } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { type Api, bodyOf, type Caller, createApi, createOpenApi, dataOf, type Schemas } from './api/client.js';

export type SignInOptions = Schemas['SignInOptionsResponse'];
export type SignedIn = Schemas['SignedInResponse'];

/** A person, and not an API key, is signed in. */
export interface Person {
  readonly known: SignedIn;
  readonly role: SignedIn['environments'][number]['role'];
  /** What the role allows. */
  readonly scopes: SignedIn['environments'][number]['scopes'];
  readonly switchTo: (environmentId: string) => void;
  /** After a change of the account. */
  readonly reload: () => void;
}

/** A signed-in tab. An API key is in `api` and nowhere else: a reload asks for it again. */
export interface Session {
  readonly api: Api;
  readonly environment: Schemas['EnvironmentResponse'];
  /** After a change of the environment. */
  readonly setEnvironment: (environment: Schemas['EnvironmentResponse']) => void;
  readonly organization: Schemas['OrganizationResponse'];
  readonly person?: Person;
  readonly signOut: () => void;
}

export type End = (reason?: 'refused') => void;

const SessionContext = createContext<Session | undefined>(undefined);

/** What opens a session knows its environment as it was then. */
export type OpenedSession = Omit<Session, 'setEnvironment'>;

export function SessionProvider({ session, children }: { session: OpenedSession; children: ComponentChildren }): VNode {
  const [environment, setEnvironment] = useState(session.environment);
  return (
    <SessionContext.Provider value={{ ...session, environment, setEnvironment }}>{children}</SessionContext.Provider>
  );
}

/** Absent before the sign-in. */
export const useOptionalSession = (): Session | undefined => useContext(SessionContext);

export function useSession(): Session {
  const session = useOptionalSession();
  if (session === undefined) throw new Error('This part of the console needs a session.');
  return session;
}

/** Somebody who is signed in and has yet to set up the codes that Herald demands. */
export interface Held {
  readonly known: SignedIn;
  readonly onDone: () => void;
  readonly onEnd: End;
}

const HeldContext = createContext<Held | undefined>(undefined);
export const HeldProvider = HeldContext.Provider;

export function useHeld(): Held {
  const held = useContext(HeldContext);
  if (held === undefined) throw new Error('This page is for those who have yet to set up codes.');
  return held;
}

export function useApi(): Api {
  return useSession().api;
}

/** @throws {ApiFailure} if the key is not accepted */
export async function openSession(key: string, onEnd: End): Promise<OpenedSession> {
  return { ...(await open({ key }, onEnd)), signOut: () => onEnd() };
}

interface PersonActions {
  readonly onEnd: End;
  /** With another environment, or after a change of the account. */
  readonly onChange: (environmentId: string) => void;
}

/** The environment of a tab. */
const CHOSEN = 'herald-environment';

/** @throws {ApiFailure} if the session has ended */
export async function openPersonSession(known: SignedIn, { onEnd, onChange }: PersonActions): Promise<OpenedSession> {
  const wanted = sessionStorage.getItem(CHOSEN);
  const chosen = known.environments.find(({ _id }) => _id === wanted) ?? known.environments[0];
  if (chosen === undefined) throw new Error('You have no role in any environment.');
  const opened = await open({ csrfToken: known.csrfToken, environmentId: chosen._id }, onEnd);
  const switchTo = (environmentId: string): void => {
    sessionStorage.setItem(CHOSEN, environmentId);
    onChange(environmentId);
  };
  const signOut = (): void => {
    void bodyOf(opened.api.DELETE('/v1/users/session')).finally(() => onEnd());
  };
  const { role, scopes } = chosen;
  return { ...opened, person: { known, role, scopes, switchTo, reload: () => onChange(chosen._id) }, signOut };
}

/** Who the cookie of the browser belongs to, if it is one of a session. */
export async function signedInPerson(): Promise<{ readonly options: SignInOptions; readonly known?: SignedIn }> {
  const api = createOpenApi();
  const options = await dataOf(api.GET('/v1/users/session/options'));
  return options.isSignedIn ? { options, known: await dataOf(api.GET('/v1/users/session')) } : { options };
}

async function open(caller: Caller, onEnd: End): Promise<Omit<OpenedSession, 'signOut'>> {
  let isOpen = false;
  const api = createApi(caller, () => isOpen && onEnd('refused'));
  const [environment, organization] = await Promise.all([
    dataOf(api.GET('/v1/environments/me')),
    dataOf(api.GET('/v1/organizations/me')),
  ]);
  isOpen = true;
  return { api, environment, organization };
}
