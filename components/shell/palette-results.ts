import { defaultFilter } from 'cmdk'
import type { LucideIcon } from 'lucide-react'

/** Something that the palette opens or does. */
export type Result = {
  /** Unique among the results. */
  id: string
  label: string
  /** Other words that find it. */
  words?: string[]
  icon: LucideIcon
  note?: string
  onSelect: () => void
}

export type ResultGroup = { heading: string; results: Result[] }

// The scores of what is only like it end at 1.
const SAME_LETTERS = 4
const SAME_NAME = 3
const SAME_WORD = 2

/** How well `result` answers what was typed, above 0; 0: not at all. Its exact name comes before all that is only like it. */
function scoreOf({ label, words = [], note = '' }: Result, typed: string): number {
  const isTyped = (name: string) => name.toLowerCase() === typed.toLowerCase()
  if (label === typed) return SAME_LETTERS
  if (isTyped(label)) return SAME_NAME
  if (words.some(isTyped)) return SAME_WORD
  return defaultFilter(label, typed, [...words, note])
}

/** The groups and their results that match `typed`, the best first; all of them as they are when nothing is typed. */
export function rankResults(groups: ResultGroup[], typed: string): ResultGroup[] {
  if (!typed) return groups.filter(({ results }) => results.length > 0)
  return groups
    .map(({ heading, results }) => ({ heading, ...rankGroup(results, typed) }))
    .filter(({ results }) => results.length > 0)
    .sort((a, b) => b.best - a.best)
}

function rankGroup(results: Result[], typed: string) {
  const scored = results
    .map((result) => ({ result, score: scoreOf(result, typed) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  return { results: scored.map(({ result }) => result), best: scored[0]?.score ?? 0 }
}
