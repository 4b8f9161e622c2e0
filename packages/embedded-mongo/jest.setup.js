import { nativeAddon } from 'lmdb';

// The package opens every store with the copy of itself that a process loaded first. Each test file has its own, and that of an earlier
// file has ended with it.
delete nativeAddon.open;
