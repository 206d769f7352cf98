import { TERM } from './parse-terms'

/** A word as it stands in what is typed. */
export type TypedWord = { at: number; text: string }

const MIN_LETTERS = 3
const MAX_LETTERS = 24

/** The words that must occur, and may have a mistake: of letters of scripts with spaces alone, neither very short nor very long. */
export const wordsThatMayBeWrong = (typed: string): TypedWord[] =>
  [...typed.matchAll(TERM)]
    .filter(([, minus]) => minus === '')
    .flatMap(({ 0: term, index }) =>
      [...term.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map((word) => ({
        at: index + word.index,
        text: word[0],
      })),
    )
    .filter(({ text }) => OF_LETTERS.test(text) && !WITHOUT_SPACES.test(text))
    .filter(({ text }) => isOfSize(lettersOf(text)))

const OF_LETTERS = /^[\p{L}\p{M}]+$/u
const WITHOUT_SPACES =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

const isOfSize = ({ length }: string[]) => length >= MIN_LETTERS && length <= MAX_LETTERS

const lettersOf = (word: string): string[] => [
  ...word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFKC')
    .toLowerCase(),
]

/** From and up to, of letters that are typed in place of each other. Others have the letters of the word itself. */
const ALPHABETS = ['az', 'αω', 'ая', 'ա֊', 'את', 'ءي', 'აჰ'].map(
  (ends) => [ends.codePointAt(0), ends.codePointAt(1)] as [number, number],
)

function alphabetOf(letters: readonly string[]): string[] {
  const code = letters[0]?.codePointAt(0) ?? 0
  const range = ALPHABETS.find(([from, to]) => code >= from && code <= to)
  if (!range) return [...new Set(letters)]
  const [from, to] = range
  return Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at))
}

/**
 * What may be meant by a word with one mistake, without case and accents: one letter too many, two in each other's place, one too few,
 * a wrong one. In this order, since endings of languages let many wrong ones pass.
 */
export function meantBy(word: string): string[] {
  const letters = lettersOf(word)
  const alphabet = alphabetOf(letters)
  const places = letters.map((_, at) => at)
  const put = (at: number, length: number, ...by: string[]) =>
    letters.toSpliced(at, length, ...by).join('')
  const swapped = places
    .slice(1)
    .map((at) => put(at - 1, 2, letters[at] ?? '', letters[at - 1] ?? ''))
  const wrong = places.flatMap((at) => alphabet.map((letter) => put(at, 1, letter)))
  const tooMany = places.map((at) => put(at, 1))
  const tooFew = [...places, letters.length].flatMap((at) =>
    alphabet.map((letter) => put(at, 0, letter)),
  )
  const all = new Set([...tooMany, ...swapped, ...tooFew, ...wrong])
  all.delete(letters.join(''))
  return [...all]
}

/** What is typed with other words in their places. */
export const withWordsReplaced = (
  typed: string,
  replaced: readonly { word: TypedWord; by: string }[],
): string =>
  replaced
    .toSorted((a, b) => b.word.at - a.word.at)
    .reduce(
      (text, { word, by }) => text.slice(0, word.at) + by + text.slice(word.at + word.text.length),
      typed,
    )
