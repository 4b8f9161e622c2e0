import { Inbox } from '@novu/react';

export function NewInbox({ herald, subscriberId, subscriberHash }) {
  return (
    <Inbox
      applicationIdentifier={herald.applicationIdentifier}
      subscriber={{ subscriberId }}
      subscriberHash={subscriberHash}
      backendUrl={location.origin}
      socketUrl={location.origin}
      // Without it, the component takes some addresses for those of a hosted service.
      socketOptions={{ socketType: 'self-hosted' }}
      routerPush={(path) => console.info(`would open ${path}`)}
    />
  );
}
