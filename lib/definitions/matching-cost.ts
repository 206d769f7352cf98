/** What matching patterns has cost: in steps times characters, the most it may take, and in time. */
export type MatchingCost = { work: number; ms: number }

const cost: MatchingCost = { work: 0, ms: 0 }

/** Runs a match and counts its cost. */
export function noteMatching(work: number, match: () => boolean): boolean {
  const startedAt = performance.now()
  try {
    return match()
  } finally {
    cost.work += work
    cost.ms += performance.now() - startedAt
  }
}

/** Adds the cost of the matches of `work`, which is synchronous, to `sum`. */
export function withMatchingCost<T>(sum: MatchingCost, work: () => T): T {
  const { work: workBefore, ms: msBefore } = cost
  try {
    return work()
  } finally {
    sum.work += cost.work - workBefore
    sum.ms += cost.ms - msBefore
  }
}

/** Below it no time is looked at: a busy machine is not the pattern's fault. */
const CHEAP_WORK = 15_000_000

export const isOverMatchingLimit = ({ work, ms }: MatchingCost, limitMs: number): boolean =>
  work > CHEAP_WORK && ms > limitMs
