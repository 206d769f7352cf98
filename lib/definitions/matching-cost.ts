/** The cost of matching patterns: steps times characters, the upper bound, and time in ms. */
export type MatchingCost = { work: number; ms: number }

const cost: MatchingCost = { work: 0, ms: 0 }

/** Runs a match and adds its cost. */
export function recordMatching(work: number, match: () => boolean): boolean {
  const startedAt = performance.now()
  try {
    return match()
  } finally {
    cost.work += work
    cost.ms += performance.now() - startedAt
  }
}

/** Adds the cost of the matches in `work`, which is synchronous, to `sum`. */
export function withMatchingCost<T>(sum: MatchingCost, work: () => T): T {
  const { work: workBefore, ms: msBefore } = cost
  try {
    return work()
  } finally {
    sum.work += cost.work - workBefore
    sum.ms += cost.ms - msBefore
  }
}

/** Below this cost the time is ignored: on a busy machine it says nothing about the pattern. */
const CHEAP_WORK = 15_000_000

export const isOverMatchingLimit = ({ work, ms }: MatchingCost, limitMs: number): boolean =>
  work > CHEAP_WORK && ms > limitMs
