import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { call, testKey } from '@/lib/testing/request'
import {
  ANN,
  BEN,
  CUSTOMER,
  customers,
  deps,
  historyOf,
  install,
  PATH,
  records,
  verdicts,
} from '../../testing/customers'
import { POST } from './route'

describe('?mode=atomic', () => {
  test('writes nothing when one file fails, and says so of each file', async () => {
    const { status, body, logs } = await install(
      pluginFiles({ ...CUSTOMER, ...customers(ANN, { code: 'b' }) }),
      '?mode=atomic',
    )
    expect(body).toEqual({
      status: 422,
      error: 'Plugin not installed: 3 of 3 files failed',
      data: {
        ...{ history: 1, pluginId: 'com.example.shop', pluginName: 'Shop' },
        ...{ totalFiles: 3, successCount: 0, failedCount: 3 },
      },
    })
    expect(status).toBe(422)
    expect(verdicts(logs)).toEqual({
      'EngineSchemas/Customer.json': 'Rolled back',
      'EngineEntities/Customer.json': 'Rolled back',
      'Customer/data.json': 'Invalid record',
    })
    expect(await historyOf(body.data.history)).toMatchObject({ status: 'FAILED' })
    expect(await rows(deps.db, sql`select 1 from engine.entities`)).toEqual([])
    expect(await rows(deps.db, sql`select 1 from engine.plugins`)).toEqual([])
  })

  const broken = pluginFiles({ ...CUSTOMER, ...customers({ code: 'b' }) })

  test('repeats the error for the same idempotency key, without another install', async () => {
    const authorization = `Bearer ${await testKey(deps, ['ADMIN'])}`
    const headers = { authorization, 'idempotency-key': 'once' }
    const archive = await archiveOf(broken)
    const ask = () =>
      call(deps, POST, {
        ...{ method: 'POST', path: `${PATH}?mode=atomic` },
        ...{ headers, body: uploadOf(archive) },
      })
    const first = await ask()
    const again = await ask()
    expect([first.status, again.status]).toEqual([422, 422])
    expect(again.body).toEqual(first.body)
  })

  test('is accepted in the background, where the history says that it failed', async () => {
    const { status, body } = await install(broken, '?mode=atomic', { prefer: 'respond-async' })
    expect([status, body.status]).toEqual([202, 202])
    await expect.poll(async () => (await historyOf(body.data.history)).status).toBe('FAILED')
  })

  test('is no error in part: then the counts say that all files failed', async () => {
    const { status, body } = await install(
      pluginFiles({ Missing: { manifest: { target: 'Missing' }, files: { 'data.json': [{}] } } }),
    )
    expect([status, body.status, body.message]).toEqual([
      200,
      200,
      'Plugin not installed: 1 of 1 files failed',
    ])
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

  test.each(['partial', 'atomic'])('predicts a %s install, and writes nothing', async (mode) => {
    const files = await archiveOf(
      pluginFiles({
        ...CUSTOMER,
        ...customers(ANN, BEN),
        Missing: { manifest: { target: 'Missing' }, files: { 'data.json': [{}] } },
      }),
    )
    const preview = await install(files, `?dryRun=true&mode=${mode}`)
    expect(preview.status).toBe(200)
    expect(await tables()).toEqual([])
    expect(
      await rows(
        deps.db,
        sql`select 1 from engine.installs union all select 1 from engine.plugins union all select 1 from engine.entities union all select 1 from engine.schemas`,
      ),
    ).toEqual([])

    const seal = encodeURIComponent(preview.body.data.plan.seal)
    const real = await install(files, `?mode=${mode}&seal=${seal}`)
    expect(real.status).toBe(mode === 'atomic' ? 422 : 200)
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
