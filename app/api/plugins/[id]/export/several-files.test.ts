import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { exportPlugin } from '../../testing/export-api'
import { deps, ID, SHOP } from '../../testing/exported-shop'
import { install } from '../../testing/plugin-api'

describe('an exported plugin', () => {
  test('splits the records of an entity into files that can be installed', async () => {
    await install(deps, SHOP)
    await deps.db.execute(
      sql`insert into entities.tag (name) select lpad(g::text, 90, 'x') from generate_series(1, 2000) g`,
    )
    deps.settings = { ...deps.settings, MAX_ENTRY_BYTES: 100_000 }
    const { bytes, files } = await exportPlugin(deps, ID)
    const parts = Object.keys(files).filter((path) => path.startsWith('Tag/data'))
    expect(parts.slice(0, 2)).toEqual(['Tag/data.json', 'Tag/data.part002.json'])
    const names = parts.flatMap((path) =>
      JSON.parse(files[path] ?? '').map((r: { name: string }) => r.name),
    )
    expect(names).toHaveLength(2003)
    expect(new Set(names).size).toBe(2003)
    const { logs } = await install(deps, bytes)
    expect(logs.filter(({ status }) => status !== 'unchanged')).toEqual([])
  })
})
