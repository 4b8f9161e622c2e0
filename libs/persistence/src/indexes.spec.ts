import mongoose from 'mongoose';
import { untilBuilt } from './indexes.js';

const { MongoNetworkError } = mongoose.mongo;

describe('untilBuilt', () => {
  const failing = (errors: Error[]): { readonly create: () => Promise<void>; tries: number } => {
    const made = {
      tries: 0,
      create: (): Promise<void> => {
        const error = errors[made.tries];
        made.tries += 1;
        return error === undefined ? Promise.resolve() : Promise.reject(error);
      },
    };
    return made;
  };

  it('should create an index again until the store answers', async () => {
    const made = failing([new MongoNetworkError('server monitor timeout'), new MongoNetworkError('timed out')]);
    await untilBuilt(made.create, 0);
    expect(made.tries).toBe(3);
  });

  it('should not create one again that the store refuses', async () => {
    const made = failing([new Error('too many indexes')]);
    await expect(untilBuilt(made.create, 0)).rejects.toThrow('too many indexes');
    expect(made.tries).toBe(1);
  });
});
