import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
import { pluginFiles } from '@/lib/testing/archive'
import {
  ANN,
  BEN,
  CUSTOMER,
  customers,
  deps,
  historyOf,
  install,
  records,
  verdicts,
} from '../../testing/customers'

describe('?mode=atomic', () => {
  test('writes nothing when one file fails, and says so of each file', async () => {
    const { body, logs } = await install(
      pluginFiles({ ...CUSTOMER, ...customers(ANN, { code: 'b' }) }),
      '?mode=atomic',
    )
    expect(body.data).toMatchObject({ totalFiles: 3, successCount: 0, failedCount: 3 })
    expect(verdicts(logs)).toEqual({
      'EngineSchemas/Customer.json': 'Rolled back',
      'EngineEntities/Customer.json': 'Rolled back',
      'Customer/data.json': 'Invalid record',
    })
    expect(await historyOf(body.data.history)).toMatchObject({ status: 'FAILED' })
    expect(await rows(deps.db, sql`select 1 from engine.entities`)).toEqual([])
    expect(await rows(deps.db, sql`select 1 from engine.plugins`)).toEqual([])
  })

  test('writes everything when nothing fails', async () => {
    const { body } = await install(pluginFiles({ ...CUSTOMER, ...customers(ANN) }), '?mode=atomic')
    expect(body.data).toMatchObject({ totalFiles: 3, successCount: 3, failedCount: 0 })
    expect(await records('customer')).toMatchObject([ANN])
  })
})

describe('?dryRun=true', () => {
  const tables = () =>
    rows(deps.db, sql`select schemaname, tablename from pg_tables where schemaname = 'entities'`)

  test.each(['partial', 'atomic'])('foretells a %s install, and writes nothing', async (mode) => {
    const files = pluginFiles({
      ...CUSTOMER,
      ...customers(ANN, BEN),
      Missing: { manifest: { target: 'Missing' }, files: { 'data.json': [{}] } },
    })
    const preview = await install(files, `?dryRun=true&mode=${mode}`)
    expect(preview.status).toBe(200)
    expect(await tables()).toEqual([])
    expect(
      await rows(
        deps.db,
        sql`select 1 from engine.installs union all select 1 from engine.plugins union all select 1 from engine.entities union all select 1 from engine.schemas`,
      ),
    ).toEqual([])

    const real = await install(files, `?mode=${mode}`)
    const essence = ({ path, status, error, records, details }: Record<string, unknown>) => ({
      path,
      status,
      error,
      records,
      details,
    })
    expect(preview.body.data.plan.files.map(essence)).toEqual(
      real.logs.map((log) => essence(log as never)),
    )
    expect(preview.body.data.plan).toMatchObject({
      totalFiles: real.body.data.totalFiles,
      successCount: real.body.data.successCount,
      failedCount: real.body.data.failedCount,
    })
  })
})
