import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Bell } from './bell.jsx';
import { NewInbox } from './inbox.jsx';
import { connect, ENDINGS, EXAMPLES, hashOf, send } from './herald.js';

/** Two published components for one subscriber, beside the buttons that notify this subscriber. */
function Page() {
  const [session, setSession] = useState();
  return (
    <>
      <header>
        <h1>Inbox demo</h1>
        <p>
          The published React components against this Herald. The bell is <code>@novu/notification-center</code>, the
          Inbox <code>@novu/react</code>.
        </p>
      </header>
      {session === undefined ? (
        <SignIn onReady={setSession} />
      ) : (
        <Desk session={session} onLeave={() => setSession()} />
      )}
    </>
  );
}

function SignIn({ onReady }) {
  const [fault, setFault] = useState('');
  const submit = async (event) => {
    event.preventDefault();
    setFault('');
    const { apiKey, subscriberId, subscriberHash } = Object.fromEntries(new FormData(event.currentTarget));
    try {
      const herald = await connect(apiKey.trim());
      const id = subscriberId.trim();
      onReady({ herald, subscriberId: id, subscriberHash: subscriberHash.trim() || (await hashOf(apiKey.trim(), id)) });
    } catch (error) {
      setFault(error.message);
    }
  };
  return (
    <form onSubmit={submit}>
      <label>
        API key
        <input name="apiKey" type="password" autoComplete="off" required autoFocus />
        <small>
          Printed by npm start, and kept in the data folder. It stays in this tab; only the buttons below use it.
        </small>
      </label>
      <label>
        Subscriber
        <input name="subscriberId" defaultValue="inbox-demo" required />
        <small>Created if there is none.</small>
      </label>
      <label>
        Subscriber hash
        <input name="subscriberHash" autoComplete="off" />
        <small>
          Made with the API key if it is empty. Enter it if that key is not the oldest one of the environment.
        </small>
      </label>
      <button>Show the components</button>
      <p role="alert">{fault}</p>
    </form>
  );
}

function Desk({ session, onLeave }) {
  const { herald, subscriberId } = session;
  const [status, setStatus] = useState('');
  const trigger = async (ending, count) => {
    setStatus('Sending…');
    try {
      const sent = await send(herald, subscriberId, ending, count);
      setStatus(`${sent} accepted at ${new Date().toLocaleTimeString()}`);
    } catch (error) {
      setStatus(error.message);
    }
  };
  return (
    <>
      <section className="components" aria-label="Components">
        <div className="component" id="bell">
          <h2>Bell</h2>
          <Bell {...session} />
        </div>
        <div className="component" id="inbox">
          <h2>Inbox</h2>
          <NewInbox {...session} />
        </div>
      </section>
      <section aria-label="Notifications">
        <h2>
          Notify <code>{subscriberId}</code>
        </h2>
        <div className="buttons">
          {ENDINGS.map((ending) => (
            <button key={ending} onClick={() => trigger(ending, 1)}>
              {EXAMPLES[ending].name}
            </button>
          ))}
          <button onClick={() => trigger('plain', 20)}>20 messages</button>
          <button className="quiet" onClick={onLeave}>
            Another subscriber
          </button>
        </div>
        <p role="status">{status}</p>
      </section>
    </>
  );
}

createRoot(document.getElementById('page')).render(<Page />);
