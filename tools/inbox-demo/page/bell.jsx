import { NotificationBell, NovuProvider, PopoverNotificationCenter, useUpdateAction } from '@novu/notification-center';

export function Bell({ herald, subscriberId, subscriberHash }) {
  return (
    <NovuProvider
      applicationIdentifier={herald.applicationIdentifier}
      subscriberId={subscriberId}
      subscriberHash={subscriberHash}
      backendUrl={location.origin}
      socketUrl={location.origin}
      initialFetchingStrategy={{ fetchNotifications: true }}
    >
      <Popover />
    </NovuProvider>
  );
}

function Popover() {
  const { updateAction } = useUpdateAction();
  const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  return (
    <PopoverNotificationCenter
      colorScheme={theme}
      onNotificationClick={(message) => console.info(`would open ${message.cta?.data?.url ?? 'nothing'}`)}
      // The component leaves it to the page to tell the server about a button.
      onActionClick={(_identifier, type, { _id: messageId }) =>
        updateAction({ messageId, actionButtonType: type, status: 'done' })
      }
    >
      {({ unseenCount }) => <NotificationBell unseenCount={unseenCount} />}
    </PopoverNotificationCenter>
  );
}
