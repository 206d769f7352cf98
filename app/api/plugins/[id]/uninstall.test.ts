import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { auditLog } from '@/lib/db/schema'
import { rows } from '@/lib/db/sql'
import { databaseState } from '@/lib/testing/database-state'
import { freshDeps } from '@/lib/testing/deps'
import { historyOf, install, logsOf } from '../testing/plugin-api'
import { readRecords, readTrash, SHOP, SHOP_ID, uninstall } from '../testing/uninstall-api'

const deps = freshDeps()

describe('DELETE /api/plugins/:id', () => {
  test('first reports what goes and what names it, and changes nothing', async () => {
    await install(deps, SHOP)
    await deps.db.execute(sql`update entities.book set title = 'edited' where id = 2`)
    const before = await databaseState(deps.db)
    const { status, body } = await uninstall(deps, SHOP_ID, '?dryRun=true')
    expect(status).toBe(200)
    expect(body.meta).toEqual({ dryRun: true })
    expect(body.data).toEqual([
      {
        plugins: [{ id: SHOP_ID, name: 'Shop', version: '1.0.0' }],
        records: 'trash',
        entities: [
          { name: 'Author', pluginId: SHOP_ID, records: 2, isEstimate: false, edited: 0 },
          { name: 'Book', pluginId: SHOP_ID, records: 3, isEstimate: false, edited: 1 },
        ],
        schemas: ['Author', 'Book'],
        types: ['Short'],
        roles: ['Clerk'],
        policies: [{ name: 'clerks', allow: true }],
        webhooks: [],
        blockedBy: [],
        mentions: {
          ...{ policies: [], apiKeys: [], views: [] },
          hidden: { policies: 0, apiKeys: 0, views: 0 },
        },
        history: null,
        batchId: null,
        expiresAt: null,
      },
    ])
    expect(await databaseState(deps.db)).toEqual(before)
  })

  test('takes the plugin away, and its entities with their records', async () => {
    await install(deps, SHOP)
    expect((await readRecords(deps, 'Book')).status).toBe(200)
    const { status, body } = await uninstall(deps, SHOP_ID)
    expect(status).toBe(200)
    expect((await readRecords(deps, 'Book')).status).toBe(404)
    for (const table of ['plugins', 'entities', 'schemas', 'types', 'roles', 'policies'])
      expect(await rows(deps.db, sql`select * from ${sql.raw(`engine.${table}`)}`)).toEqual([])
    const { batchId, expiresAt, history } = body.data[0]
    expect(await readTrash(deps)).toMatchObject([
      {
        batchId,
        kind: 'plugin',
        entity: null,
        plugins: [{ id: SHOP_ID, name: 'Shop', version: '1.0.0' }],
        entities: ['Author', 'Book'],
        count: 5,
        expiresAt,
      },
    ])
    expect(await historyOf(deps, history)).toMatchObject({
      kind: 'uninstall',
      pluginId: SHOP_ID,
      status: 'SUCCESS',
      recordCount: 5,
      totalFiles: 1,
    })
    expect((await logsOf(deps, history))[0]?.changes).toContain(
      'Entity Book with 3 records: moved to the trash',
    )
    const audit = await deps.db.select().from(auditLog)
    expect(audit.at(-1)).toMatchObject({ action: 'plugins.uninstall', objectId: SHOP_ID })
  })
})
