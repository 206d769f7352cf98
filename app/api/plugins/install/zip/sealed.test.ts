import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { historyOf, install, upload } from '../../testing/plugin-api'
import {
  deps,
  entity,
  installAll,
  property,
  SECOND,
  sealed,
  sealOf,
} from '../../testing/sealed-plans'

describe('an install with the seal of its plan', () => {
  test.each(['', '&mode=atomic'])('runs while everything is as it was%s', async (mode) => {
    await installAll()
    const seal = await sealOf(SECOND, mode)
    await deps.db.execute(sql`insert into entities.pen (name) values ('blue')`)
    await install(deps, pluginFiles(entity('Chalk', []), { id: 'com.example.chalks' }))
    const { status, body } = await install(deps, SECOND, { query: sealed(seal, mode) })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ totalFiles: 3, failedCount: 0 })
  })
})

test('warnings are counted in plan and history', async () => {
  const files = pluginFiles(entity('Book', [property('title', { requierd: true, uniqe: true })]))
  const { plan } = (await upload(deps, files, { query: '?dryRun=true' })).body.data
  expect(plan.warningCount).toBe(2)
  const { history } = (await upload(deps, files)).body.data
  expect(await historyOf(deps, history)).toMatchObject({ warningCount: 2 })
})
