import { isSameDraft, type LayoutDraft, layoutDraftOf, sentLayout } from './layout-draft.js';

const DRAFT: LayoutDraft = {
  name: ' Company ',
  identifier: 'company ',
  description: '',
  content: '{{{body}}}',
  variables: [
    { name: ' year ', type: 'String', defaultValue: '2026' },
    { name: ' ', type: 'String' },
    { name: 'logo', type: 'String', defaultValue: '' },
  ],
};

it('should send names without blanks, and no variable without a name', () => {
  expect(sentLayout(DRAFT)).toEqual({
    ...DRAFT,
    name: 'Company',
    identifier: 'company',
    variables: [
      { name: 'year', type: 'String', defaultValue: '2026' },
      { name: 'logo', type: 'String' },
    ],
  });
});

it('should tell whether something was changed', () => {
  const stored = { ...DRAFT, _id: 'x', isDefault: true } as unknown as Parameters<typeof layoutDraftOf>[0];
  expect(isSameDraft(layoutDraftOf(stored), DRAFT)).toBe(true);
  expect(isSameDraft({ ...DRAFT, content: 'x' }, DRAFT)).toBe(false);
});
