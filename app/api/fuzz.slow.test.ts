import { describe, expect, test } from 'vitest'
import { FUZZ_SECONDS } from '@/lib/testing/budget'
import { ARCHIVES } from '@/lib/testing/fuzz/changed-archives'
import { SavedSeeds, type Target } from '@/lib/testing/fuzz/saved-seeds'
import { ADDRESSES, DEFINITIONS, SEARCHES } from './testing/fuzz/targets'

const FOLDER = new URL('./testing/fuzz/seeds/', import.meta.url)
const LIMIT_MS = FUZZ_SECONDS * 1000 + 300_000

function fuzz<T>(target: Target<T>): void {
  const saved = new SavedSeeds(target, FOLDER)

  async function faults(): Promise<string[]> {
    if (FUZZ_SECONDS > 0) return saved.explore(FUZZ_SECONDS)
    expect(saved.seeds.length).toBeGreaterThan(10)
    return saved.faultsOf(saved.seeds)
  }

  test(
    target.name,
    async () => {
      expect(await faults()).toEqual([])
    },
    LIMIT_MS,
  )
}

describe('no fault is in what inputs reach of', () => {
  fuzz(SEARCHES)
  fuzz(ADDRESSES)
  fuzz(DEFINITIONS)
  fuzz(ARCHIVES)
})
