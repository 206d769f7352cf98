import type { Ranges, Reach } from './record'

/** Below it, a file costs more than the blocks that it alone reaches are worth. */
const MIN_BLOCKS_A_SECOND = 1.5

type Choice = { chosen: string[]; blocks: number; reached: number; seconds: number }

/**
 * The cheapest tests that reach the blocks of `isMeant` modules which all of them reach, beside the `fixed` ones; blocks
 * that only expensive tests reach are left out. Greedy: the test that reaches the most new blocks a second comes next.
 */
export function chooseTests(
  all: readonly Reach[],
  fixed: ReadonlySet<string>,
  isMeant: (module: string) => boolean,
): Choice {
  const blocks = blocksOf(all, isMeant)
  const left = all
    .filter(({ test }) => !fixed.has(test))
    .map(({ test, cpuMs }) => ({ test, cpuMs, blocks: blocks.get(test) ?? new Set<string>() }))
  const reached = new Set([...fixed].flatMap((test) => [...(blocks.get(test) ?? [])]))
  const chosen: string[] = []
  let ms = 0
  for (;;) {
    const valued = left.map((one) => ({ ...one, value: worthOf(one, reached) }))
    const best = valued.reduce((a, b) => (b.value > a.value ? b : a), valued[0] ?? NOTHING)
    if (best.value < MIN_BLOCKS_A_SECOND) break
    for (const block of best.blocks) reached.add(block)
    chosen.push(best.test)
    ms += best.cpuMs
    left.splice(
      left.findIndex(({ test }) => test === best.test),
      1,
    )
  }
  const total = new Set([...blocks.values()].flatMap((some) => [...some]))
  return {
    chosen: chosen.sort(),
    blocks: total.size,
    reached: reached.size,
    seconds: Math.round(ms / 1000),
  }
}

type Candidate = { test: string; cpuMs: number; blocks: ReadonlySet<string> }
const NOTHING = { test: '', cpuMs: 0, blocks: new Set<string>(), value: 0 }

function worthOf({ cpuMs, blocks }: Candidate, reached: ReadonlySet<string>): number {
  const fresh = [...blocks].filter((block) => !reached.has(block)).length
  return fresh / (Math.max(cpuMs, 300) / 1000)
}

/** The blocks that each test runs. V8 lists a block only where its count differs from its function's, so all have to be known first. */
function blocksOf(all: readonly Reach[], isMeant: (module: string) => boolean) {
  const modules = new Map<string, Map<string, Set<number>>>()
  const meant = all.map(({ test, ran }) => ({
    test,
    ran: Object.entries(ran).filter(([module]) => isMeant(module)),
  }))
  for (const { ran } of meant)
    for (const [module, functions] of ran) {
      const known = modules.get(module) ?? new Map<string, Set<number>>()
      modules.set(module, known)
      for (const ranges of functions) {
        const starts = known.get(idOf(ranges)) ?? new Set()
        for (const [start] of ranges) starts.add(start)
        known.set(idOf(ranges), starts)
      }
    }
  return new Map(
    meant.map(({ test, ran }) => [
      test,
      new Set(
        ran.flatMap(([module, functions]) =>
          functions
            // The module itself runs when it is first imported, by whichever test.
            .filter(([whole]) => (whole?.[0] ?? 0) > 20)
            .flatMap((ranges) =>
              [...(modules.get(module)?.get(idOf(ranges)) ?? [])]
                .filter((start) => hasRun(ranges, start))
                .map((start) => `${module} ${start}`),
            ),
        ),
      ),
    ]),
  )
}

const idOf = ([whole]: Ranges) => `${whole?.[0]}-${whole?.[1]}`

/** By the innermost range. */
function hasRun(ranges: Ranges, at: number): boolean {
  const around = ranges.filter(([start, end]) => start <= at && at < end)
  const inner = around.reduce((a, b) => (b[1] - b[0] <= a[1] - a[0] ? b : a), [0, Infinity, false])
  return inner[2]
}
