import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { exportPlugin } from '../../testing/export-api'
import { deps, ID, SHOP } from '../../testing/exported-shop'
import { install } from '../../testing/plugin-api'

describe('an export of a plugin', () => {
  test('with records=none has definitions only', async () => {
    await install(deps, SHOP)
    const { files } = await exportPlugin(deps, ID, '?records=none')
    const data = Object.keys(files).filter((path) => /^(Book|Tag)/.test(path))
    expect(data).toEqual([])
    expect(files).toHaveProperty(['EngineEntities/Book.json'])
  })

  test('with records=changed has the records that were added or edited here', async () => {
    await install(deps, SHOP)
    await deps.db.execute(sql`update entities.book set title = 'edited' where id = 2`)
    await deps.db.execute(sql`insert into entities.book (id, title) values (20, 'added')`)
    await deps.db.execute(sql`delete from entities.book where id = 1`)
    const { files, bytes } = await exportPlugin(deps, ID, '?records=changed')
    const changed: { id: number; title: string }[] = JSON.parse(files['Book/data.json'] ?? '')
    expect(changed.map(({ id, title }) => [id, title])).toEqual([
      [2, 'edited'],
      [20, 'added'],
    ])
    expect(Object.keys(files).filter((path) => path.startsWith('Tag'))).toEqual([])
    const { logs } = await install(deps, bytes)
    expect(logs.filter(({ status }) => status === 'failed')).toEqual([])
  })
})
