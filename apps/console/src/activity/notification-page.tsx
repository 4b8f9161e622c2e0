import type { VNode } from 'preact';
import { Page } from '../ui/page.js';

export function NotificationPage(): VNode {
  return <Page title="Notification">{null}</Page>;
}
