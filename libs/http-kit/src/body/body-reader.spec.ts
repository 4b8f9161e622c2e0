import { BodyBudget } from './body-reader.js';

describe('BodyBudget', () => {
  it('should have no room beyond its size, and again when something was given back', () => {
    const budget = new BodyBudget(100, 10);
    expect(budget.take('a', 50)).toBe(true);
    expect(budget.take('b', 50)).toBe(true);
    expect(budget.take('c', 1)).toBe(false);
    budget.release('a', 20);
    expect(budget.take('c', 20)).toBe(true);
    expect(budget.held).toBe(100);
  });

  it('should leave half of it to others', () => {
    const budget = new BodyBudget(100, 10);
    expect(budget.take('a', 50)).toBe(true);
    expect(budget.take('a', 1)).toBe(false);
    expect(budget.held).toBe(50);
    budget.release('a', 50);
    expect(budget.take('a', 50)).toBe(true);
  });

  it('should always have room for one body of the largest size', () => {
    const budget = new BodyBudget(10, 30);
    expect(budget.take('a', 30)).toBe(true);
    expect(budget.take('a', 1)).toBe(false);
  });
});
