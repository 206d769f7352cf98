import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { POST as CREATE } from '@/app/api/entities/[entityName]/route'
import { POST as SEARCH } from '@/app/api/entities/[entityName]/search/route'
import { type Db, rows } from '@/lib/db/sql'
import { previewInstall } from '@/lib/installs/preview-install'
import { archiveOf, pluginFiles } from '@/lib/testing/archive'
import { databaseState } from '@/lib/testing/database-state'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { type Files, install, upload } from '../../testing/plugin-api'

const deps = freshDeps()

/** A database whose dry run waits for `act` when all of its work is done. */
const pausing = (db: Db, act: () => Promise<void>): Db =>
  new Proxy(db, {
    get(target, name, receiver) {
      if (name !== 'transaction') return Reflect.get(target, name, receiver)
      return (work: (tx: Db) => Promise<unknown>, config?: { accessMode?: 'read only' }) =>
        target.transaction(async (tx) => {
          const ended = work(tx as unknown as Db)
          await ended.catch(() => {})
          if (config?.accessMode !== 'read only') await act()
          return ended
        }, config)
    },
  })

/** Previews an archive; `meanwhile` runs when everything has been tried, before it is undone. */
async function preview(files: Files, meanwhile: () => Promise<void>) {
  const archive = await archiveOf(files)
  const request = {
    loadArchive: async () => archive,
    sha256: '',
    source: 'a.zip',
    mode: 'partial' as const,
    requestId: '1',
    actor: {
      type: 'user' as const,
      id: 'a',
      name: 'a',
      userId: 'a',
      roles: ['ADMIN'],
      scopes: null,
      address: null,
    },
  }
  const { plan } = await previewInstall({ ...deps, db: pausing(deps.db, meanwhile) }, request)
  return plan
}

/** Locks that others hold on tables and sequences of entities, of whatever kind. */
const LOCKED_TABLES = sql`select c.relname, l.mode from pg_locks l join pg_class c on c.oid = l.relation
  where c.relnamespace = 'entities'::regnamespace and l.pid <> pg_backend_pid()
    and l.database = (select oid from pg_database where datname = current_database())`

const shop = (title: object, books: object[], upsert = true): Files =>
  pluginFiles({
    EngineEntities: { files: { 'Book.json': { name: 'Book' }, 'Genre.json': { name: 'Genre' } } },
    EngineSchemas: {
      files: {
        'Book.json': {
          name: 'Book',
          properties: [
            { name: 'title', ...title },
            { name: 'genre', type: 'bigint', reference: { entity: 'Genre', field: 'id' } },
          ],
        },
        'Genre.json': { name: 'Genre', properties: [{ name: 'name', type: 'string' }] },
      },
    },
    Genre: {
      files: { 'data.json': [{ id: 1, name: 'Novel' }] },
      manifest: { target: 'Genre', insertDuplicate: 'Ignore' },
    },
    Book: {
      files: { 'data.json': books },
      manifest: { target: 'Book', insertDuplicate: upsert ? 'Upsert' : 'Error' },
    },
  })
const FIRST = shop({ type: 'string' }, [
  { id: 1, title: 'Emma', genre: 1 },
  { id: 2, title: 'Lost' },
])
const SECOND = shop({ type: 'string', maxLength: 40, unique: true }, [
  { id: 1, title: 'Emma again', genre: 1 },
  { title: 'Ivanhoe', genre: 1 },
  { id: 50, title: 'Waverley' },
])

describe('in the middle of a dry run', () => {
  test('others read, write, create through the API and install, and no counter moves', async () => {
    if (deps.dialect === 'pglite') return // has one connection, which any transaction holds
    await install(deps, FIRST)
    const database = (
      await rows<{ name: string }>(deps.db, sql`select current_database() as name`)
    )[0]
    const before = await databaseState(deps.db)
    let looked = false
    const plan = await preview(SECOND, async () => {
      looked = true
      expect(await databaseState(deps.db)).toEqual(before)
      await deps.db.transaction(async (tx) => {
        await tx.execute(sql`set local lock_timeout = '2s'`)
        await tx.execute(sql`update entities.book set title = 'Emma' || id where id = 1`)
        await tx.execute(sql`delete from entities.book where id = 2`)
        await tx.execute(sql`insert into entities.book (id, title, genre) values (50, 'Kim', 1)`)
        await tx.execute(sql`update entities.genre set name = 'Roman'`)
        await tx.execute(
          sql`lock table engine.entities, engine.schemas in share row exclusive mode`,
        )
      })
      const path = '/api/entities/Book'
      const params = { entityName: 'Book' }
      const body = { title: 'Kidnapped', genre: 1, undeclared: true }
      const made = await call(deps, CREATE, { method: 'POST', path, params, body, as: 'ADMIN' })
      // After the number that is stored by now.
      expect(made).toMatchObject({ status: 201, body: { data: [{ id: 51 }] } })
      const found = await call(deps, SEARCH, {
        method: 'POST',
        path: `${path}/search`,
        params,
        body: {},
        as: 'ADMIN',
      })
      expect(found.body.pagination.total).toBe(3)
      const other = await upload(
        deps,
        pluginFiles(
          {
            EngineEntities: { files: { 'Pen.json': { name: 'Pen' } } },
            Pen: { files: { 'data.json': [{ id: 1 }] } },
          },
          { id: 'com.example.pens' },
        ),
      )
      expect(other.body.data).toMatchObject({ totalFiles: 2, failedCount: 0 })
    })
    expect(looked).toBe(true)
    expect(plan.files.map(({ path, error, status }) => [path, error ?? status])).toContainEqual([
      'Book/data.json',
      'updated',
    ])
    expect(database?.name).toContain('engine_test')
    expect(await rows(deps.db, sql`select title from entities.book order by id`)).toEqual([
      { title: 'Emma1' },
      { title: 'Kim' },
      { title: 'Kidnapped' },
    ])
  })

  test('definitions change, tables are emptied, and the same plugin is installed', async () => {
    if (deps.dialect === 'pglite') return
    await install(deps, FIRST)
    const many = sql`insert into entities.genre (name) select g::text from generate_series(1, 10050) g`
    await deps.db.execute(many)
    const plan = await preview(SECOND, async () => {
      expect(await rows(deps.db, LOCKED_TABLES)).toEqual([])
      await deps.db.transaction(async (tx) => {
        await tx.execute(sql`set local lock_timeout = '2s'`)
        await tx.execute(sql`alter table entities.genre add column other text`)
        await tx.execute(sql`alter table entities.book alter column title type varchar(90)`)
        await tx.execute(sql`alter table entities.book alter column title type text`)
        await tx.execute(
          sql`select setval(pg_get_serial_sequence('entities.book', 'id'), 70, false)`,
        )
        await tx.execute(sql`truncate entities.book`)
      })
      const { logs } = await install(deps, SECOND)
      expect(logs.filter(({ error }) => error !== null)).toEqual([])
    })
    expect(plan.failedCount).toBe(0)
    expect(plan.files.at(-1)?.records).toEqual({ created: 2, updated: 1, unchanged: 0, failed: 0 })
    expect(await rows(deps.db, sql`select title from entities.book order by id`)).toEqual([
      { title: 'Emma again' },
      { title: 'Waverley' },
      { title: 'Ivanhoe' },
    ])
  })

  test('a dry run that takes too long is stopped, and says so', async () => {
    await install(deps, FIRST)
    deps.settings = { ...deps.settings, DRY_RUN_TIMEOUT_MS: 1 }
    expect(await upload(deps, SECOND, { query: '?dryRun=true' })).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining('took longer') },
    })
  })
})

describe('an entity that is too large to be copied whole', () => {
  const MANY = 10_050
  const numbered = (code: object) =>
    pluginFiles({
      EngineSchemas: {
        files: {
          'Thing.json': {
            name: 'Thing',
            properties: [
              { name: 'code', type: 'string', unique: true, ...code },
              { name: 'next', type: 'bigint', reference: { entity: 'Thing', field: 'id' } },
            ],
          },
          'Note.json': {
            name: 'Note',
            properties: [
              { name: 'thing', type: 'bigint', reference: { entity: 'Thing', field: 'id' } },
            ],
          },
        },
      },
      EngineEntities: { files: { 'Thing.json': { name: 'Thing' }, 'Note.json': { name: 'Note' } } },
    })

  test('is judged by the records that the archive meets', async () => {
    await install(deps, numbered({}))
    await deps.db.execute(
      sql`insert into entities.thing (code) select 'c' || g from generate_series(1, ${MANY}::int) g`,
    )
    const data = (folder: string, files: Record<string, unknown>, insertDuplicate: string) => ({
      [folder]: { files, manifest: { target: folder, insertDuplicate } },
    })
    const files = pluginFiles({
      ...data(
        'Thing',
        {
          'a.json': [
            { id: 10_000, code: 'new' },
            { id: 10_001, code: 'c10001' },
            { code: 'x', next: 9_000 },
          ],
          'b.json': [{ id: 1, code: 'c2' }],
          'c.json': [{ code: 'y', next: 99_999 }],
          'd.json': [{ id: 5, code: 'c10000' }],
        },
        'Upsert',
      ),
      ...data('Note', { 'a.json': [{ thing: 10_050 }], 'b.json': [{ thing: 20_000 }] }, 'Error'),
    })
    const plan = (await upload(deps, files, { query: '?dryRun=true' })).body.data.plan.files
    const { logs } = await install(deps, files)
    const essence = ({ path, status, error, records, details }: (typeof logs)[number]) => ({
      path,
      status,
      error,
      records,
      details,
    })
    expect(plan.map(essence)).toEqual(logs.map(essence))
    expect(logs.map(({ path, status, error }) => [path, error ?? status])).toEqual([
      ['Thing/a.json', 'updated'],
      ['Thing/b.json', 'Conflict Issue!'],
      ['Thing/c.json', 'Missing dependency'],
      ['Thing/d.json', 'updated'],
      ['Note/a.json', 'created'],
      ['Note/b.json', 'Missing dependency'],
    ])
  })
})
