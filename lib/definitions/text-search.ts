/** How much a match in a field counts, from most to least. */
export const WEIGHTS = ['A', 'B', 'C', 'D'] as const

/** Whose endings are left off words; `simple`: of none. Every supported database knows these. */
export const LANGUAGES = [
  ...(['simple', 'arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english'] as const),
  ...(['finnish', 'french', 'german', 'greek', 'hindi', 'hungarian', 'indonesian'] as const),
  ...(['irish', 'italian', 'lithuanian', 'nepali', 'norwegian', 'portuguese'] as const),
  ...(['romanian', 'russian', 'serbian', 'spanish', 'swedish', 'tamil', 'turkish'] as const),
  'yiddish',
] as const

/** How a field takes part in the text search of its entity. */
export type TextSearch = {
  weight: (typeof WEIGHTS)[number]
  language: (typeof LANGUAGES)[number]
}

/** The operator of conditions on all such fields of an entity together. */
export const MATCHES_TEXT = 'matches-text'
