import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Area } from './areas'
import type { PlantedBug } from './planted-bug'
import { runTests, type TestRun } from './run-tests'

/** What became of a planted bug; `by`: the test that found it. */
export type Finding = {
  id: string
  outcome: 'killed' | 'timed out' | 'survived'
  by: string | null
  seconds: number
  /** The day of the run. */
  date: string
}

/** For one list of tests: several times what the longest takes. */
const LIMIT_MS = 600_000

/** Plants `bug` in `folder` and runs the tests of its area until one fails. The folder is as before then. */
export async function findBug(
  folder: string,
  { tests }: Pick<Area, 'tests'>,
  bug: PlantedBug,
  sound: Set<string>,
): Promise<Finding> {
  const start = performance.now()
  const done = (outcome: Finding['outcome'], by: string | null): Finding => ({
    ...{ id: bug.id, outcome, by },
    seconds: Math.round((performance.now() - start) / 1000),
    date: new Date().toISOString().slice(0, 10),
  })
  const path = join(folder, bug.file)
  const before = readFileSync(path, 'utf8')
  for (const paths of bug.near ? [bug.near, ...tests] : tests) {
    writeFileSync(path, withBug(before, bug))
    const run = await runTests(folder, paths, LIMIT_MS).finally(() => writeFileSync(path, before))
    if (run.outcome === 'timed out') return done('timed out', null)
    if (run.outcome === 'passed') continue
    await requireSound(folder, run, sound)
    return done('killed', `${run.file}: ${run.test}`)
  }
  return done('survived', null)
}

/** The source with the bug. Throws unless the text that it changes occurs exactly once. */
export function withBug(source: string, { id, file, find, replace }: PlantedBug): string {
  const [before, after, ...more] = source.split(find)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${id}: the text to change does not occur exactly once in ${file}`)
  return before + replace + after
}

/** A test finds nothing unless it passes without the bug; each file is asked once. */
async function requireSound(
  folder: string,
  { file }: TestRun & { outcome: 'failed' },
  sound: Set<string>,
): Promise<void> {
  if (sound.has(file)) return
  const { outcome } = await runTests(folder, [file], LIMIT_MS)
  if (outcome !== 'passed') throw new Error(`${file} fails without a bug, too`)
  sound.add(file)
}
