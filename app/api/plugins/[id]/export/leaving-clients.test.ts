import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { testRequest } from '@/lib/testing/request'
import { exportPlugin } from '../../testing/export-api'
import { deps, ID, SHOP } from '../../testing/exported-shop'
import { install } from '../../testing/plugin-api'
import { GET } from './route'

describe('an export of a plugin', () => {
  test('stops when the client leaves, and nothing stays occupied', async () => {
    await install(deps, SHOP)
    await deps.db.execute(
      sql`insert into entities.tag (name) select repeat(md5(g::text), 5) from generate_series(1, 4000) g`,
    )
    for (let at = 0; at < 10; at++) {
      const request = await testRequest(deps, { path: `/api/plugins/${ID}/export`, as: 'ADMIN' })
      const response = await GET(request, { params: Promise.resolve({ id: ID }) })
      const reader = response.body?.getReader()
      await reader?.read()
      await reader?.cancel()
    }
    expect((await exportPlugin(deps, ID)).status).toBe(200)
    const left = sql`select 1 from pg_class where relname like 'copy\\_%' and relpersistence = 't'`
    expect(await rows(deps.db, left)).toEqual([])
  })
})
