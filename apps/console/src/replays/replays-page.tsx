import type { VNode } from 'preact';
import { Page } from '../ui/page.js';

export function ReplaysPage(): VNode {
  return <Page title="Replays">{null}</Page>;
}
