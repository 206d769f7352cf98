import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { emptyTrash } from '@/lib/trash/empty-trash'
import { install } from '../testing/plugin-api'
import { readTrash, SHOP, SHOP_ID, uninstall } from '../testing/uninstall-api'
import { deps, schemasOf } from '../testing/uninstalled-state'

describe('what DELETE /api/plugins/:id took away', () => {
  test('is removed for good when it has expired', async () => {
    await install(deps, SHOP)
    const { batchId } = (await uninstall(deps, SHOP_ID)).body.data[0]
    expect(await schemasOf(batchId)).toHaveLength(1)
    await emptyTrash(deps)
    expect(await schemasOf(batchId)).toHaveLength(1)
    await deps.db.execute(sql`update engine.trash_batches set expires_at = now()`)
    await emptyTrash(deps)
    expect(await schemasOf(batchId)).toEqual([])
    for (const table of ['entity_totals', 'entity_total_changes', 'plugin_records'])
      expect(await rows(deps.db, sql`select * from ${sql.raw(`engine.${table}`)}`)).toEqual([])
    expect(await readTrash(deps)).toEqual([])
  })
})
