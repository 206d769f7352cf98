import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { install } from '../../testing/plugin-api'

const deps = freshDeps()
const string = (name: string, rules = {}) => ({ name, type: 'string', ...rules })
const key = (name: string) => ({ key: name, strategy: 'Fixed', type: 'string' })
const toBook = { reference: { entity: 'Book', field: 'code' } }

/** Books by code, of which loans and reviews, kept with them where there are nodes, name some. */
const library = (version: string, codes: string[]) =>
  pluginFiles(
    {
      EngineSchemas: {
        files: {
          'Book.json': { name: 'Book', properties: [string('code')] },
          'Loan.json': { name: 'Loan', properties: [string('book', toBook), string('day')] },
          'Review.json': { name: 'Review', properties: [string('book', toBook), string('day')] },
        },
      },
      EngineEntities: {
        files: {
          'Book.json': {
            name: 'Book',
            pks: [key('code')],
            insertDuplicate: 'Upsert',
            distribution: { by: 'code' },
          },
          ...Object.fromEntries(
            ['Loan', 'Review'].map((name) => [
              `${name}.json`,
              { name, pks: [key('book'), key('day')], distribution: { by: 'book', with: 'Book' } },
            ]),
          ),
        },
      },
      Book: { files: { 'all.json': codes.map((code) => ({ code })) } },
      ...(version === '1' && {
        Loan: { files: { 'all.json': [{ book: 'lent', day: 'Monday' }] } },
        Review: { files: { 'all.json': [{ book: 'reviewed', day: 'Friday' }] } },
      }),
    },
    { version },
  )

test('of the records that a new version drops, those stay that others refer to, from whichever entity', async () => {
  const first = await install(deps, library('1', ['kept', 'free', 'lent', 'reviewed']))
  expect(first.body.data.failedCount, JSON.stringify(first.logs)).toBe(0)
  const { logs } = await install(deps, library('2', ['kept']), { query: '?removed=delete' })
  expect(logs.at(-1)).toMatchObject({ error: null, removed: { total: 3, deleted: 1 } })
  expect(await rows(deps.db, sql`select code from entities.book order by 1`)).toEqual([
    { code: 'kept' },
    { code: 'lent' },
    { code: 'reviewed' },
  ])
})
