import { defineError } from '#libs/http-kit';

export const FilterTooBroad = defineError(
  400,
  'filter_too_broad',
  'Too many notifications match one of the filters and too few match all of them. Narrow the time with from and to.',
);
