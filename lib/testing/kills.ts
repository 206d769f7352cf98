import { createHash } from 'node:crypto'

/**
 * How often a test kills: `few` times, or with KILL_ROUNDS=all as often as is promised. Another number in that
 * setting is the number of rounds.
 */
export function killRounds(few: number, all: number): number {
  const asked = process.env.KILL_ROUNDS
  return asked === 'all' ? all : Number(asked || few)
}

/**
 * Numbers from 0 to 1, the same in every run: the moments of kills. They are spread evenly over the rounds; the first three are two
 * thirds, a third and nearly the end of the work. KILL_SEED asks for others, which differ from one `name` to the next.
 */
export function killMoments(name: string): () => number {
  const { KILL_SEED } = process.env
  let round = KILL_SEED ? startOf(`${KILL_SEED} ${name}`) : BEFORE_FIRST
  return () => {
    round += GOLDEN
    return round % 1
  }
}

const startOf = (seed: string) =>
  createHash('sha256').update(seed).digest().readUInt32BE() / 2 ** 32

/** Multiples of it fill the interval evenly, however many there are. */
const GOLDEN = 0.618_033_988_749_895
const BEFORE_FIRST = 0.07
