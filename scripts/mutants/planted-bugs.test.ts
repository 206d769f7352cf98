import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { AREAS } from './areas'
import { withBug } from './find-bug'
import type { PlantedBug } from './planted-bug'

describe('planted bugs', () => {
  test.each(AREAS)('of $name can be planted: each text occurs once in its file', ({ bugs }) => {
    const plant = (bug: PlantedBug) => withBug(readFileSync(bug.file, 'utf8'), bug)
    for (const bug of bugs) expect.soft(() => plant(bug)).not.toThrow()
  })

  test('are 15 or more in each area, with names of their own', () => {
    for (const { name, bugs } of AREAS) expect(bugs.length, name).toBeGreaterThanOrEqual(15)
    const ids = AREAS.flatMap(({ bugs }) => bugs.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('are refused when their text has changed, or occurs twice', () => {
    const bug = { id: 'one', file: 'a.ts', find: 'x < 1', replace: 'x <= 1', why: 'Off by one' }
    expect(withBug('if (x < 1) return', bug)).toBe('if (x <= 1) return')
    expect(() => withBug('if (x < 2) return', bug)).toThrow('exactly once in a.ts')
    expect(() => withBug('x < 1 || x < 1', bug)).toThrow('exactly once in a.ts')
  })
})
