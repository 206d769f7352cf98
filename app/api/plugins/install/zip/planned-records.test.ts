import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { archiveOf } from '@/lib/testing/archive'
import { databaseState } from '@/lib/testing/database-state'
import { freshDeps } from '@/lib/testing/deps'
import { ask, books } from '../../testing/planned-books'
import { install, upload } from '../../testing/plugin-api'

const deps = freshDeps()

describe('?dryRun=true&detail=records', () => {
  test('gives the verdict of each record and the fields that change', async () => {
    await install(
      deps,
      books([
        { id: 1, title: 'Emma', price: '1.50', note: 'old' },
        { id: 2, title: 'Ivanhoe', printed: '1819-12-20T00:00:00Z' },
        { id: 3, title: 'Kim' },
      ]),
    )
    const before = await databaseState(deps.db)
    const archive = await archiveOf(
      books(
        '[{"title":"New"},{"id":2,"title":"Ivanhoe"},{"id":1,"title":"Emma!","price":1.12345678901234567891,"note":"new"},{"id":9,"title":"Nine"}]',
      ),
    )
    const { status, text, body } = await upload(deps, archive, { query: ask() })
    expect(status).toBe(200)
    expect(text).toContain('"price":1.12345678901234567891')
    expect(body.data.plan.files.at(-1).records).toMatchObject({
      created: 2,
      updated: 1,
      unchanged: 1,
    })
    expect(body.data.records).toEqual([
      {
        index: 2,
        key: { id: 1 },
        verdict: 'updated',
        before: { title: 'Emma', price: 1.5, note: 'old' },
        after: { title: 'Emma!', price: expect.any(Number), note: 'new' },
      },
      {
        index: 3,
        key: { id: 9 },
        verdict: 'created',
        before: null,
        after: { id: 9, title: 'Nine', price: null, printed: null, code: null },
      },
      {
        index: null,
        key: null,
        verdict: 'created',
        before: null,
        after: { title: 'New', price: null, printed: null, code: null },
      },
      { index: 1, key: { id: 2 }, verdict: 'unchanged', before: {}, after: {} },
    ])
    expect(body.pagination).toEqual({ current: 0, total: 4, pages: 1, first: true, last: true })
    const second = await upload(deps, archive, { query: ask('&page=1&size=3') })
    expect(second.body.data.records).toEqual(body.data.records.slice(3))
    expect(second.body.pagination).toMatchObject({ current: 1, total: 4, pages: 2, last: true })
    expect(second.body.data.plan.seal).toBe(body.data.plan.seal)
    expect(await databaseState(deps.db)).toEqual(before)
  })

  test('compares only what the archive meets in a large entity', async () => {
    await install(deps, books([]))
    await deps.db.execute(
      sql`insert into entities.book (title, code) select g::text, g::text from generate_series(1, 10050) g`,
    )
    const { body } = await upload(
      deps,
      books([
        { id: 10_000, title: '10000' },
        { id: 10_001, title: 'x' },
      ]),
      { query: ask() },
    )
    expect(body.data.records.map(({ verdict, after }: Row) => [verdict, after])).toEqual([
      ['updated', { title: 'x' }],
      ['unchanged', {}],
    ])
  })
})

type Row = { verdict: string; after: object | null }
