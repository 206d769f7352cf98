import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { pluginLock } from '@/lib/installs/history-entries'
import { testDeps } from '@/lib/testing/deps'
import { deps, holding, numbered, plugin } from '../../testing/numbered-plugins'
import { historyOf, install, logsOf, upload, verdicts } from '../../testing/plugin-api'

describe('two concurrent installs of one plugin', () => {
  test('run one after the other, each in whole', async () => {
    const versions = ['1.0.0', '2.0.0', '3.0.0', '4.0.0']
    const responses = await Promise.all(
      versions.map((version) =>
        upload(deps, {
          ...plugin('a', 'Thing', numbered(200, { version }), { insertDuplicate: 'Upsert' }),
          'engineplugin.json': { id: 'com.example.a', version },
        }),
      ),
    )
    expect(responses.map(({ body }) => body.message)).toEqual(Array(4).fill('Plugin installed'))
    const spans = await rows<{ id: string; low: number; high: number }>(
      deps.db,
      sql`select install_id as id, min(id)::int as low, max(id)::int as high from engine.install_files group by 1 order by 2`,
    )
    for (const [at, { low }] of spans.entries()) {
      expect(low).toBeGreaterThan(spans[at - 1]?.high ?? 0)
    }
    const [plugins] = await rows<{ version: string; stored: string[] }>(
      deps.db,
      sql`select version, array(select distinct "$extra" ->> 'version' from entities.thing) as stored from engine.plugins`,
    )
    expect(plugins?.stored).toEqual([plugins?.version])
  })

  test('end with 409 for the one that waits too long, which the history records', async () => {
    await testDeps({ INSTALL_WAIT_MS: '200' })
    const release = await holding(pluginLock('com.example.a'))
    const { status, body } = await upload(deps, plugin('a', 'Thing', numbered(3)))
    await release()
    expect({ status, body }).toEqual({
      status: 409,
      body: { status: 409, error: expect.stringContaining('"com.example.a" is running') },
    })
    const [kept] = await rows<{ id: number }>(deps.db, sql`select id::int from engine.installs`)
    expect(await historyOf(deps, kept?.id ?? 0)).toMatchObject({
      status: 'FAILED',
      errors: [body.error],
      totalFiles: 2,
      processedFiles: 2,
      failedCount: 2,
    })
    expect(verdicts(await logsOf(deps, kept?.id ?? 0))).toEqual({
      'EngineEntities/E.json': 'Interrupted',
      'Thing/data.json': 'Interrupted',
    })
    expect(await rows(deps.db, sql`select 1 from engine.entities`)).toEqual([])
    expect((await install(deps, plugin('a', 'Thing', numbered(3)))).body.data.failedCount).toBe(0)
  })
})
