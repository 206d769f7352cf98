import { describe, expect, test } from 'vitest'
import { install, upload } from '@/app/api/plugins/testing/plugin-api'
import { databaseState } from '@/lib/testing/database-state'
import { CODE, deps, NAME, sort, start, stored, version } from './testing/added-indexes'

describe('an added index', () => {
  test('stays when fields and indexes of the definition come and go', async () => {
    await start({ fields: [sort('name')] }, { fields: ['code'], kind: 'trigram' })
    const before = await stored()
    expect(before).toHaveLength(2)
    const { body } = await install(
      deps,
      version([NAME, { ...CODE, indexed: true }, { name: 'more', type: 'integer' }], {
        indexes: [{ fields: ['name'] }],
      }),
    )
    expect(body.data.failedCount).toBe(0)
    expect(await stored()).toEqual(before)
  })
})

test('a dry run foresees what unique added indexes refuse and which ones change, and leaves them alone', async () => {
  await start({ fields: ['code'], unique: true }, { fields: [sort('name')] })
  const next = version([{ name: 'name', type: 'integer' }, CODE], {}, [{ name: 4, code: 'c1' }])
  const before = await databaseState(deps.db)
  const preview = await upload(deps, next, { query: '?dryRun=true' })
  expect(await databaseState(deps.db)).toEqual(before)
  expect(await stored()).toHaveLength(2)
  const { logs } = await install(deps, next)
  const essence = (
    files: { path: string; status: string; error: string | null; changes: unknown }[],
  ) => files.map(({ path, status, error, changes }) => ({ path, status, error, changes }))
  expect(essence(preview.body.data.plan.files)).toEqual(essence(logs as never))
  expect(logs.at(-1)).toMatchObject({ status: 'failed', error: 'Conflict Issue!' })
  expect(JSON.stringify(logs)).toContain(
    'Drop the index on entities.thing (name, id) for natural order',
  )
})
