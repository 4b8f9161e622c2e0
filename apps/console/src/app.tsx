import type { VNode } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { Route, Router, Switch } from 'wouter-preact';
import {
  type Held,
  HeldProvider,
  openPersonSession,
  type OpenedSession,
  SessionProvider,
  type SignInOptions,
  signedInPerson,
  type SignedIn,
} from './session.js';
import { backFromProvider } from './shell/provider-sign-in.js';
import { InvitationPage } from './shell/invitation-page.js';
import { Shell } from './shell/shell.js';
import { SignIn } from './shell/sign-in.js';
import { NotFoundPage } from './shell/not-found.js';
import { StepTypesProvider } from './step-types/step-types.js';
import { ToastProvider } from './ui/toasts.js';
import { lazyPage } from './lazy-page.js';
import { PAGES } from './pages.js';
import { CONSOLE } from './public-path.js';

const TotpSetUp = lazyPage(async () => (await import('./people/index.js')).TotpSetUp);

/** The links of invitations lead there; what follows `#` is their token. */
const INVITATION = `${CONSOLE}/invitation`;
const NO_OPTIONS: SignInOptions = { hasUsers: false, isSignedIn: false, takesPasswords: true };

export function App(): VNode | null {
  const [session, setSession] = useState<OpenedSession>();
  /** Somebody who has yet to set up the codes that Herald demands. */
  const [held, setHeld] = useState<SignedIn>();
  const [wasRefused, setRefused] = useState(false);
  const [options, setOptions] = useState<SignInOptions>();
  const [isInvited, setInvited] = useState(location.pathname === INVITATION);
  const end = useCallback((reason?: 'refused') => {
    setRefused(reason === 'refused');
    setSession(undefined);
    setHeld(undefined);
  }, []);
  const enter = useCallback(async (known: SignedIn): Promise<void> => {
    setHeld(known.needsTotp ? known : undefined);
    if (known.needsTotp) return setSession(undefined);
    const opened = await openPersonSession(known, { onEnd: end, onChange: () => void resume() });
    setOptions((known) => ({ ...(known ?? NO_OPTIONS), hasUsers: true }));
    setSession(opened);
  }, []);
  /** Takes up the session of the browser, if there is one. */
  const resume = useCallback(async (): Promise<void> => {
    const found = await signedInPerson().catch(() => ({ options: NO_OPTIONS, known: undefined }));
    if (found.known !== undefined) {
      if (location.pathname === CONSOLE) backFromProvider();
      await enter(found.known).catch(() => undefined);
    }
    setOptions(found.options);
  }, []);
  useEffect(() => void resume(), []);
  const join = async (known: SignedIn): Promise<void> => {
    history.replaceState(undefined, '', CONSOLE);
    await enter(known);
    setInvited(false);
  };
  if (isInvited) return <InvitationPage onSignedIn={join} />;
  if (held !== undefined) return <HeldPage known={held} onDone={() => void resume()} onEnd={end} />;
  if (session === undefined) {
    if (options === undefined) return null;
    return <SignIn options={options} onKey={setSession} onPerson={enter} onEnd={end} wasRefused={wasRefused} />;
  }
  return (
    <SessionProvider session={session} key={session.environment._id}>
      <ToastProvider>
        <Router base={CONSOLE}>
          <StepTypesProvider>
            <Shell>
              <Switch>
                {PAGES.map(({ path, page }) => (
                  <Route key={path} path={path} component={page} />
                ))}
                <Route component={NotFoundPage} />
              </Switch>
            </Shell>
          </StepTypesProvider>
        </Router>
      </ToastProvider>
    </SessionProvider>
  );
}

function HeldPage(held: Held): VNode {
  return (
    <HeldProvider value={held}>
      <TotpSetUp />
    </HeldProvider>
  );
}
