import { shareStore, storeOfGroup } from './group-member.js';

describe('the store of a group', () => {
  it('should be known to a member from its first moment', async () => {
    let isClosed = false;
    const close = (): Promise<void> => Promise.resolve(void (isClosed = true));
    const store = {
      uri: 'mongodb://ada:secret@127.0.0.1/herald',
      description: 'MongoDB at 127.0.0.1',
      mayShare: true,
      close,
    };
    const shared = storeOfGroup(shareStore(store));
    expect(shared).toMatchObject({ uri: store.uri, description: store.description, mayShare: true });
    await shared.close();
    expect(isClosed).toBe(false);
  });

  it('should be missing in a process that no group has started', () => {
    expect(() => storeOfGroup({})).toThrow('not started by a group');
  });
});
