import type { VNode } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import { Route, Router, Switch } from 'wouter-preact';
import { type Session, SessionProvider } from './session.js';
import { Shell } from './shell/shell.js';
import { SignIn } from './shell/sign-in.js';
import { NotFoundPage } from './shell/not-found.js';
import { ToastProvider } from './ui/toasts.js';
import { PAGES } from './pages.js';

/** Where the console is served. Every page has an address below it. */
const BASE = '/console';

export function App(): VNode {
  const [session, setSession] = useState<Session>();
  const [wasRefused, setRefused] = useState(false);
  const end = useCallback((reason?: 'refused') => {
    setRefused(reason === 'refused');
    setSession(undefined);
  }, []);
  if (session === undefined) return <SignIn onSession={setSession} onEnd={end} wasRefused={wasRefused} />;
  return (
    <SessionProvider session={session}>
      <ToastProvider>
        <Router base={BASE}>
          <Shell>
            <Switch>
              {PAGES.map(({ path, page }) => (
                <Route key={path} path={path} component={page} />
              ))}
              <Route component={NotFoundPage} />
            </Switch>
          </Shell>
        </Router>
      </ToastProvider>
    </SessionProvider>
  );
}
