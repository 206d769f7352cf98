import { afterEach, expect, test, vi } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { install } from '../../testing/plugin-api'

const deps = currentDeps()
afterEach(() => vi.restoreAllMocks())

/** More than twice as many as any statement takes. */
const RECORDS = 45_000

/** Files whose records lack the key, so that the engine generates it and recognises them later. */
const keyless = (insertDuplicate: string) =>
  pluginFiles({
    EngineEntities: {
      files: {
        'Note.json': { name: 'Note', pks: [{ key: 'id', strategy: 'UUID', type: 'string' }] },
      },
    },
    Note: {
      manifest: { target: 'Note', insertDuplicate },
      files: { 'data.json': Array.from({ length: RECORDS }, (_, n) => ({ n })) },
    },
  })

/** The most rows that were parsed between two turns of the event loop, by a clock that advances with the steps. */
async function rowsInOneTurn(work: () => Promise<unknown>): Promise<number> {
  const { parse } = JSON
  const { now } = performance
  const started = performance.now()
  let [steps, parsed, most, isOver] = [0, 0, 0, false]
  vi.spyOn(performance, 'now').mockImplementation(() => started + steps++ / 100)
  vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    most = Math.max(most, ++parsed)
    return parse(text, reviver)
  })
  const resetCount = () => {
    parsed = 0
    if (!isOver) setImmediate(resetCount)
  }
  resetCount()
  await work()
  isOver = true
  vi.restoreAllMocks()
  expect(performance.now).toBe(now)
  return most
}

test.each(['Upsert', 'Ignore', 'Error'])(
  'no step blocks other requests until it has processed all records of a file (%s)',
  async (how) => {
    await testDeps()
    const files = keyless(how)
    for (const _ of ['made keys', 'remembered keys'])
      expect(await rowsInOneTurn(() => install(deps, files))).toBeLessThan(RECORDS / 2)
  },
)
