import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  deleteWhere,
  empty,
  installShared,
  NONE,
  type Records,
  shared,
  stored,
  sumOf,
  twelve,
} from '../../testing/several-files'
import { table } from '../../testing/upgrades'
import { deps, installed, type Version } from '../../testing/versions'

/** Such files are read in parts. */
const note = '.'.repeat(100_000)
const key = (name: string, strategy: string, type: string) => ({ key: name, strategy, type })
const counted = { entity: { pks: [key('id', 'AutoIncrement', 'number')] } }
const composite = {
  entity: { pks: [key('id', 'Fixed', 'number'), key('part', 'Fixed', 'string')] },
}
const texts = { entity: { pks: [key('id', 'Fixed', 'string')] } }
const replaced = { entity: { updateStrategy: 'Replace' } }

const KINDS: [string, Version, Records][] = [
  ['with numbers as keys', {}, twelve()],
  ['in large files', {}, twelve((n) => ({ id: n, note }))],
  ['with texts as keys', texts, twelve((n) => ({ id: String(n) }))],
  ['with keys of several parts', composite, twelve((n) => ({ id: n, part: 'x' }))],
  ['without keys', counted, twelve(() => ({}))],
  ['without keys, in large files', counted, twelve(() => ({ note }))],
  ['that are replaced', replaced, twelve()],
  ['that are replaced, in large files', replaced, twelve((n) => ({ id: n, note }))],
  [
    'that are replaced, without keys',
    { entity: { ...counted.entity, ...replaced.entity } },
    twelve(() => ({})),
  ],
]

test('a dry run that copies only a part of an entity finds them too', async () => {
  const files = shared(twelve())
  await installed(files)
  await deps.db.execute(
    sql`insert into ${table} (id, name) select g, 'own' from generate_series(100, 11000) as g`,
  )
  await deleteWhere('id < 5')
  expect(sumOf(await installShared(files))).toEqual({ ...NONE, unchanged: 8, kept: 4 })
  const restored = { ...NONE, created: 4, unchanged: 8, restored: 4 }
  expect(sumOf(await installShared(files, '&deleted=restore'))).toEqual(restored)
})

const EMPTIED = [empty, () => deps.db.execute(sql`truncate ${table}`)] as const
const cases = KINDS.map((kind, at) => [...kind, EMPTIED[at % 2] as () => Promise<unknown>] as const)

test.each(cases)(
  'records %s are all there again after the entity was emptied, and stay deleted or are restored where some were deleted',
  async (_, more, records, emptied) => {
    const files = shared(records, more)
    await installed(files)
    const before = await stored()
    await emptied()
    expect(sumOf(await installShared(files))).toEqual({ ...NONE, created: 12 })
    expect(await stored()).toEqual(before)

    await deleteWhere(`name not in ('Thing 1', 'Thing 2', 'Thing 3', 'Thing 4')`)
    expect(sumOf(await installShared(files))).toEqual({ ...NONE, unchanged: 4, kept: 8 })
    const restored = { ...NONE, created: 8, unchanged: 4, restored: 8 }
    expect(sumOf(await installShared(files, '&deleted=restore'))).toEqual(restored)
    expect(await stored()).toEqual(before)
    expect(sumOf(await installShared(files))).toEqual({ ...NONE, unchanged: 12 })
  },
)
