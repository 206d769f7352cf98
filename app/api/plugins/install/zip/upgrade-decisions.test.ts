import { expect, test } from 'vitest'
import { archiveOf } from '@/lib/testing/archive'
import { threeConflicts } from '../../testing/decisions'
import { upload } from '../../testing/plugin-api'
import { CHANGED, next } from '../../testing/upgrades'
import { deps, search } from '../../testing/versions'

const CHANGED_ALL = CHANGED.map((one) => (one.id === 2 ? { ...one, name: 'Plate' } : one))

const prices = async () =>
  (await search({ fields: ['id', 'name', 'price'] })).map(Object.values as never)

test('each conflict is decided by itself, the others by onConflict; the seal covers the decisions', async () => {
  await threeConflicts()
  const files = await archiveOf(next(CHANGED_ALL))
  const fields = { decisions: JSON.stringify({ Thing: { take: ['1'], keep: ['3'] } }) }
  const planned = await upload(deps, files, { query: '?dryRun=true', fields })
  expect(planned.body.data.plan.files.at(-1)).toMatchObject({
    records: { created: 0, updated: 1, unchanged: 1 },
    deleted: { kept: 1, restored: 0 },
    conflicts: [
      { key: '1', decision: 'take' },
      { key: '2', decision: 'keep' },
      { key: '3', decision: 'keep' },
    ],
  })
  const query = `?seal=${planned.body.data.plan.seal}`
  const other = await upload(deps, files, { query })
  expect(other).toMatchObject({ status: 409 })
  expect(other.body.error).toContain('the option "decisions" is another one')

  const done = await upload(deps, files, { query, fields })
  expect(done).toMatchObject({ status: 200, body: { data: { failedCount: 0 } } })
  expect(await prices()).toEqual([
    [1, 'Mug', 4],
    [2, 'Bowl', 5],
  ])
})

test('a decision differs from onConflict=take and onConflict=fail too', async () => {
  await threeConflicts()
  const files = await archiveOf(next(CHANGED_ALL))
  const plan = async (query: string, decisions: object) => {
    const fields = { decisions: JSON.stringify({ Thing: decisions }) }
    const { body } = await upload(deps, files, { query: `?dryRun=true&${query}`, fields })
    return body.data.plan
  }
  const open = await plan('onConflict=fail', { take: ['1'], keep: ['2'] })
  expect(open.files.at(-1)).toMatchObject({ error: 'Conflict Issue!', details: [{ key: '3' }] })
  const closed = await plan('onConflict=fail', { take: ['1', '3'], keep: ['2'] })
  expect(closed).toMatchObject({ failedCount: 0 })

  const fields = { decisions: JSON.stringify({ Thing: { keep: ['2'] } }) }
  const { seal } = await plan('onConflict=take', { keep: ['2'] })
  await upload(deps, files, { query: `?onConflict=take&seal=${seal}`, fields })
  expect(await prices()).toEqual([
    [1, 'Mug', 4],
    [2, 'Bowl', 5],
    [3, 'Spoon', 1],
  ])
})

test('conflicts are listed a page at a time', async () => {
  await threeConflicts()
  const page = (at: number) =>
    upload(deps, next(CHANGED_ALL), {
      query: `?dryRun=true&detail=conflicts&file=Thing/data.json&page=${at}&size=2`,
    })
  const { body } = await page(1)
  expect(body.pagination).toEqual({ current: 1, total: 3, pages: 2, first: false, last: true })
  expect(body.data.conflicts).toEqual([
    { key: '3', change: 'deleted', decision: 'keep', fields: [] },
  ])
  expect((await page(0)).body.data.conflicts.map(({ key }: { key: string }) => key)).toEqual([
    '1',
    '2',
  ])
})
