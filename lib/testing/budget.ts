/** How often tests of hostile input go round: once, or as often as `FUZZ_ROUNDS` says. */
export const FUZZ_ROUNDS = Number(process.env.FUZZ_ROUNDS ?? 1)

/** For so many seconds fuzz tests try new inputs of each kind and save those that reach new code; saved ones alone by default. */
export const FUZZ_SECONDS = Number(process.env.FUZZ_SECONDS ?? 0)

/** As many records are promoted from server to server: few, or what `npm run torture` asks for. */
export const PROMOTED_RECORDS = Number(process.env.PROMOTED_RECORDS ?? 1_000)

/**
 * Of a test of random cases: the same `few` in each run of the suite, or as many new ones as `NEW_CASES` says
 * (`npm run torture`). The suite repeats cases that it can afford; the search for new ones is a hunt of its own.
 */
export function budget(few: number, seed: number): { numRuns: number; seed: number } {
  const { NEW_CASES, SEED } = process.env
  if (!NEW_CASES) return { numRuns: few, seed }
  return { numRuns: Number(NEW_CASES), seed: Number(SEED ?? Date.now()) }
}
