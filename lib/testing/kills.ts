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
 * Numbers from 0 to 1, in every run the same for a name: the moments of kills. KILL_SEED asks for others. They are
 * spread evenly over the rounds, so that few of them meet the beginning, the middle and the end.
 */
export function killMoments(name: string): () => number {
  const { KILL_SEED = '1' } = process.env
  const seed = createHash('sha256').update(`${KILL_SEED} ${name}`).digest().readUInt32BE()
  let round = seed / 2 ** 32
  return () => {
    round += GOLDEN
    return round % 1
  }
}

/** Multiples of it fill the interval evenly, however many there are. */
const GOLDEN = 0.618_033_988_749_895
