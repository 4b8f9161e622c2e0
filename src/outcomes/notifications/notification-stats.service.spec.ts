import { jest } from '@jest/globals';
import { KeptAnswers, type SizedAnswer } from './notification-stats.service.js';

type Find = () => Promise<SizedAnswer<{ n: number }>>;

describe('KeptAnswers', () => {
  const finder = (size: number): jest.Mock<Find> => {
    let n = 0;
    return jest.fn<Find>(() => Promise.resolve({ answer: { n: ++n }, size }));
  };

  describe('get', () => {
    it('should find an answer about few rows anew each time', async () => {
      const [kept, find] = [new KeptAnswers(), finder(9_999)];
      expect([await kept.get('a', find), await kept.get('a', find)]).toEqual([{ n: 1 }, { n: 2 }]);
    });

    it('should keep an answer about many rows, for its own key', async () => {
      const [kept, find] = [new KeptAnswers(), finder(10_000)];
      expect([await kept.get('a', find), await kept.get('a', find)]).toEqual([{ n: 1 }, { n: 1 }]);
      expect(await kept.get('b', find)).toEqual({ n: 2 });
    });

    it('should find out once for those who ask at the same time', async () => {
      const [kept, find] = [new KeptAnswers(), finder(1)];
      await Promise.all([kept.get('a', find), kept.get('a', find)]);
      expect(find).toHaveBeenCalledTimes(1);
    });

    it('should keep no failure', async () => {
      const kept = new KeptAnswers();
      await expect(kept.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
      expect(await kept.get('a', finder(1))).toEqual({ n: 1 });
    });
  });
});
