import { type ExactJson, isNested } from '@/lib/values/exact-json'

const LONG_WORD = 60

/** A list of short texts or numbers, which reads as words better than as JSON. */
export const isListOfWords = (value: ExactJson | undefined): value is ExactJson[] =>
  Array.isArray(value) && value.length > 0 && value.every(isWord)

const isWord = (item: ExactJson) =>
  item !== null &&
  item !== '' &&
  !isNested(item) &&
  typeof item !== 'boolean' &&
  String(item).length <= LONG_WORD
