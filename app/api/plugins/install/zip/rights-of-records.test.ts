import { beforeEach, describe, expect, test } from 'vitest'
import { BOOKS, deps, install, post, records } from '../../testing/books'
import { install as installAsAdmin, logsOf } from '../../testing/plugin-api'

describe('records of an entity that is installed', () => {
  beforeEach(async () => {
    await installAsAdmin(deps, BOOKS)
  })

  test('need them from its own plugin too, whose id anybody may write', async () => {
    const own = await install(records({ insertDuplicate: 'Upsert' }, {}))
    expect(own.verdicts).toEqual({ 'Book/data.json': 'Forbidden' })
  })

  test('are deleted for those who may delete them', async () => {
    const rest = {
      ...records({ insertDuplicate: 'Upsert' }, {}),
      'Book/data.json': [{ no: 2, title: 'Ivanhoe' }],
    }
    const replace = async (...scopes: string[]) => {
      const all = ['plugins:install', 'Book:write', 'Book:update', 'Book:read', ...scopes]
      const { body } = await post(rest, all, '?removed=delete')
      return (await logsOf(deps, body.data.history)).find(({ path }) => path === 'Book/data.json')
    }
    expect(await replace()).toMatchObject({
      error: 'Forbidden',
      details: [{ message: expect.stringContaining('the right "Book:delete"') }],
    })
    expect(await replace('Book:delete')).toMatchObject({ error: null, removed: { deleted: 1 } })
  })

  test('are not compared with what is stored for those who may not read them', async () => {
    const guess = (title: string) =>
      install(
        { ...records({ insertDuplicate: 'Upsert' }), 'Book/data.json': [{ no: 1, title }] },
        'Book:write',
        'Book:update',
      )
    for (const title of ['Emma', 'Ivanhoe']) {
      const { verdicts, counts } = await guess(title)
      expect(verdicts).toEqual({ 'Book/data.json': 'updated' })
      expect(counts).toEqual({ created: 0, updated: 1, unchanged: 0, failed: 0 })
    }
    const unchanged = {
      ...records({ insertDuplicate: 'Upsert' }),
      'Book/data.json': [{ no: 1, title: 'Ivanhoe' }],
    }
    expect((await install(unchanged, 'Book:*')).verdicts).toEqual({ 'Book/data.json': 'unchanged' })
  })

  test('that its definition closes are its own plugin’s alone', async () => {
    const permissions = { write: false }
    const entity = {
      name: 'Book',
      pks: [{ key: 'no', strategy: 'Fixed', type: 'number' }],
      permissions,
    }
    const closed = { ...BOOKS, 'EngineEntities/Book.json': entity, 'Book/data.json': [{ no: 3 }] }
    expect((await installAsAdmin(deps, closed)).body.data.failedCount).toBe(0)
    const { logs } = await installAsAdmin(deps, records({ insertDuplicate: 'Ignore' }))
    expect(logs).toMatchObject([
      { error: 'Forbidden', details: [{ message: expect.stringContaining('forbids "write"') }] },
    ])
  })
})
