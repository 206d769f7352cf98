import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { installTestEntity } from '@/lib/testing/entity'
import { allow, clerk, deps } from './testing/branches'
import { ALL, send, told } from './testing/clerks'

const FIXED = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
const author = { name: 'Author' }
const book = { name: 'Book' }
const OPEN = [{ field: 'open', operator: 'eq', value: true }]

/** Authors with books: 1 has an open one, 2 also one that is not; deleting an author does `onDelete` to books. */
async function library(onDelete?: string) {
  await installTestEntity(
    deps,
    {
      entity: { name: 'Author', pks: FIXED },
      schema: { properties: [{ name: 'name', type: 'string' }] },
    },
    [
      { id: 1, name: 'A' },
      { id: 2, name: 'B' },
    ],
  )
  const reference = { entity: 'Author', field: 'id', ...(onDelete ? { onDelete } : {}) }
  const properties = [
    { name: 'author', type: 'decimal', reference },
    { name: 'open', type: 'boolean' },
  ]
  await installTestEntity(deps, { entity: { name: 'Book', pks: FIXED }, schema: { properties } }, [
    { id: 10, author: 1, open: true },
    { id: 20, author: 2, open: true },
    { id: 21, author: 2, open: false },
  ])
  await allow({ entities: ['Author'], actions: ALL })
}

const ids = async ({ name }: { name: string }) => {
  const table = sql.identifier(name.toLowerCase())
  const query = sql`select id::int as id from entities.${table} order by id`
  return (await rows<{ id: number }>(deps.db, query)).map(({ id }) => id)
}

describe('records that go with a deletion', () => {
  test.each([
    ['delete', ALL],
    ['read all, delete some', ['delete']],
  ])('must be those that the caller may delete: %s', async (_, actions) => {
    await library('cascade')
    if (actions !== ALL) await allow({ entities: ['Book'] })
    await allow({ entities: ['Book'], actions, where: OPEN })
    const headers = await clerk()
    const refused = [
      await send(headers, 'DELETE', '/2', undefined, author),
      await send(headers, 'DELETE', '/2?undo=7d', undefined, author),
      await send(headers, 'DELETE', '/batch', {}, author),
      await send(headers, 'DELETE', '/batch?undo=7d', {}, author),
      await send(headers, 'DELETE', '/batch?dryRun=true', {}, author),
    ]
    for (const { status, body } of refused) {
      expect(status).toBe(403)
      expect(told({ body })).not.toMatch(/Book|21/)
    }
    expect(await ids(book)).toEqual([10, 20, 21])
    const deleted = await send(headers, 'DELETE', '/1', undefined, author)
    expect(deleted.status).toBe(200)
    expect(await ids(book)).toEqual([20, 21])
  })

  test('and lose their reference must be those that the caller may change so', async () => {
    await library('setNull')
    await allow({ entities: ['Book'], where: OPEN })
    await allow({ entities: ['Book'], actions: ['update'] })
    const headers = await clerk()
    expect((await send(headers, 'DELETE', '/2', undefined, author)).status).toBe(403)
    expect((await send(headers, 'DELETE', '/1', undefined, author)).status).toBe(200)
    await allow({ entities: ['Book'], allow: false, actions: ['update'], fields: ['author'] })
    await allow({ entities: ['Book'] })
    const closed = await send(headers, 'DELETE', '/2', undefined, author)
    expect(closed.status).toBe(403)
    expect(closed.text).not.toMatch(/Book|author"/)
    expect(await ids(author)).toEqual([2])
  })
})

describe('records that prevent a deletion', () => {
  test('are not counted where some are hidden, nor a hidden field named', async () => {
    await library()
    await allow({ entities: ['Book'], where: OPEN })
    const headers = await clerk()
    const blocked = await send(headers, 'DELETE', '/2', undefined, author)
    expect(blocked.status).toBe(409)
    expect(blocked.body.meta.blockedBy).toEqual([{ entity: 'Book', field: 'author', count: null }])
    const dry = await send(headers, 'DELETE', '/batch?dryRun=true', {}, author)
    expect(dry.body.meta.blockedBy).toEqual([{ entity: 'Book', field: 'author', count: null }])
    await allow({ entities: ['Book'], allow: false, fields: ['author'] })
    const unnamed = await send(headers, 'DELETE', '/batch', {}, author)
    expect(unnamed.body.meta.blockedBy).toEqual([{ entity: 'Book', field: '', count: null }])
    expect(unnamed.text).not.toContain('author')
  })
})
