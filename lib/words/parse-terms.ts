import type { SQLWrapper } from 'drizzle-orm'
import { whyNotStorable } from '@/lib/values/storable'

/** A word, or several that follow each other. */
export type Term<Text = string | SQLWrapper> = {
  /** In a statement it may be an expression. */
  text: Text
  /** Records with it are not found. */
  isAbsent: boolean
  /** Its last word may be the beginning of one. */
  isBeginning: boolean
}

const MAX_CHARS = 500
const MAX_TERMS = 20

/**
 * The terms of what people type: words, phrases in quotes, `-` before what must not occur. The last word may be unfinished.
 * A quote that is never closed reaches to the end. Says what is wrong where there is nothing to look for.
 */
export function parseTerms(text: string): Term<string>[] | { fault: string } {
  if (text.length > MAX_CHARS) return { fault: `Text search takes at most ${MAX_CHARS} characters` }
  const unstorable = whyNotStorable(text)
  if (unstorable) return { fault: `The text ${unstorable}` }
  const all = [...text.matchAll(TERM)].map(toTerm)
  const terms = all.filter((term) => HAS_WORD.test(term.text))
  if (terms.length > MAX_TERMS) return { fault: `Text search takes at most ${MAX_TERMS} words` }
  if (terms.every(({ isAbsent }) => isAbsent))
    return { fault: 'Text search needs a word that records have' }
  return terms.map((term, at) => ({
    ...term,
    isBeginning: term.isBeginning && at === terms.length - 1,
  }))
}

/** Its groups: `-`, what stands in quotes, or a word. */
export const TERM = /(-?)(?:"([^"]*)(?:"|$)|([^\s"]+))/g
const HAS_WORD = /[\p{L}\p{N}]/u

function toTerm([, minus, phrase, word = '']: RegExpMatchArray): Term<string> {
  const isAbsent = minus === '-'
  return { text: phrase ?? word, isAbsent, isBeginning: phrase === undefined && !isAbsent }
}
