import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { exportPlugin } from '../../testing/export-api'
import { deps, ID, SHOP } from '../../testing/exported-shop'
import { install, verdicts } from '../../testing/plugin-api'

describe('an exported plugin', () => {
  test('installs again: nothing changes', async () => {
    await install(deps, SHOP)
    const { bytes } = await exportPlugin(deps, ID)
    const { body, logs } = await install(deps, bytes)
    expect(body.message).toBe('Plugin installed')
    expect(Object.values(verdicts(logs)).filter((verdict) => verdict !== 'unchanged')).toEqual([])
  })

  test('is the same bytes each time', async () => {
    await install(deps, SHOP)
    const first = await exportPlugin(deps, ID)
    const again = await exportPlugin(deps, ID)
    expect(Buffer.compare(first.bytes, again.bytes)).toBe(0)
  })

  test('keeps texts that look like variables of the archive', async () => {
    await install(deps, SHOP)
    await deps.db.execute(
      sql`insert into entities.tag (name) values ('x ' || chr(36) || '{config.id}')`,
    )
    const { bytes, files } = await exportPlugin(deps, ID)
    expect(files['Tag/data.json']).toContain('{"name":"x ${manifest.dollar}{config.id}"}')
    const { logs } = await install(deps, bytes)
    expect(verdicts(logs)['Tag/data.json']).toBe('unchanged')
  })
})
