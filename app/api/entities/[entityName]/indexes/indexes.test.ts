import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditLog, entities } from '@/lib/db/schema'
import { rows } from '@/lib/db/sql'
import { findEntity, registryChanged } from '@/lib/registry/registry'
import { targetOf } from '@/lib/registry/target'
import { searchBody } from '@/lib/search/contract'
import { inputOfBody } from '@/lib/search/read-input'
import { resolveSearch } from '@/lib/search/resolve-search'
import { searchSql } from '@/lib/search/search-sql'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { GET as getAdvice } from '../advice/route'
import { byCountry, startAdviceApi } from '../advice/testing/advice-api'
import { DELETE as dropIndex } from './[name]/route'
import { POST as createIndex } from './route'

const deps = freshDeps()

let api: Awaited<ReturnType<typeof startAdviceApi>>
beforeEach(async () => {
  api = await startAdviceApi(deps)
})

const usedIndexes = async () => {
  const found = await rows<{ name: string }>(
    deps.db,
    sql`select indexrelname as name from pg_stat_user_indexes where indexrelname like 'ax%'`,
  )
  return found.map(({ name }) => name)
}

/** The plan of a search; small tables are scanned unless that is forbidden. */
async function plan(body: object): Promise<string> {
  const target = targetOf(await findEntity(deps, 'Town'))
  const resolved = resolveSearch(target, inputOfBody(searchBody.parse(body)))
  return deps.db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`)
    const found = await rows<object>(tx, sql`explain ${searchSql(target, resolved).page}`)
    return found.map((row) => Object.values(row).join()).join('\n')
  })
}

describe('an index', () => {
  test('is refused with the position and the reason of every fault', async () => {
    const refused: [object, string][] = [
      [{ fields: ['nmae'] }, 'Unknown field "nmae"; did you mean "name"?'],
      [{ fields: ['name', 'name'] }, 'Is named twice'],
      [{ fields: ['people'], kind: 'trigram' }, 'is no text'],
      [{ fields: ['people'], kind: 'json' }, 'is no JSON'],
      [{ fields: ['name', 'country'], kind: 'trigram' }, 'has one field'],
      [{ fields: ['name'], kind: 'trigram', unique: true }, 'Only an index of the kind "btree"'],
      [{ fields: ['colour'] }, 'use the kind "json"'],
      [{ fields: [{ field: 'a.b.c', use: 'sort' }] }, 'Unknown field'],
      [{ fields: [] }, 'must name a field'],
      [{ fields: ['name'], knd: 'btree' }, 'did you mean "kind"'],
    ]
    for (const [body, message] of refused) {
      const response = await api.create(body)
      expect(response.status).toBe(400)
      expect(JSON.stringify(response.body.validations)).toContain(
        JSON.stringify(message).slice(1, -1),
      )
    }
  })

  test('that the table has already is a conflict, and so are too many', async () => {
    expect(await api.create({ fields: ['zip'] })).toMatchObject({ status: 409 })
    expect(await api.create({ fields: ['id'] })).toMatchObject({ status: 409 })
    expect(await api.create({ fields: ['people'] })).toMatchObject({ status: 202 })
    const again = await api.create({ fields: [{ field: 'people', use: 'sort' }] })
    expect(again.status).toBe(409)
    expect(again.body.error).toMatch(/does the same already: ax_town_people/)
    const added = { kind: 'btree' as const, unique: false, parts: [], createdAt: '', error: 'none' }
    await deps.db.update(entities).set({ addedIndexes: Array.from({ length: 16 }, () => added) })
    const last = await api.create({ fields: ['name', 'country', 'people'] })
    expect(last).toMatchObject({ status: 409, body: { error: expect.stringContaining('16') } })
  })

  test('serves the searches that it was suggested for, in both directions and inside JSON', async () => {
    await api.fill(3_000)
    await api.create({ fields: ['country', { field: 'name', use: 'sort' }] })
    await api.create({ fields: ['name'], kind: 'trigram' })
    await api.create({ fields: ['colour'], kind: 'json' })
    await api.create({ fields: [{ field: 'colour', use: 'sort', direction: 'desc' }] })
    await api.built()
    expect(await usedIndexes()).toHaveLength(4)
    const plans = await Promise.all([
      plan({ ...byCountry('c1'), count: 'none' }),
      plan({ ...byCountry('c1', 'asc'), count: 'none' }),
      plan({ query: [{ field: 'name', operator: 'icontains', value: 'own 299' }] }),
      plan({ query: [{ field: 'colour', operator: 'eq', value: 'red' }], count: 'none' }),
      plan({ sort: [{ field: 'colour', direction: 'desc' }], count: 'none' }),
    ])
    const used = plans.map((text) => [...new Set(text.match(/ax_[a-z_]+(?=_[0-9a-f]{10})/gi))])
    expect(used).toEqual([
      ['ax_town_country_namenatural_id'],
      ['ax_town_country_namenatural_id'],
      ['ax_town_namegin_trgm_ops'],
      ['ax_town_extrajsonb_path_ops'],
      ['ax_town_extracolourrankdesc_extracolournumberdesc_ex'],
    ])
  })

  test('is listed with its state, audited, created once for a key, and dropped', async () => {
    const key = { 'idempotency-key': crypto.randomUUID() }
    const first = await api.create({ fields: ['people'] }, key)
    const again = await api.create({ fields: ['people'] }, key)
    expect([first.status, again.status]).toEqual([202, 202])
    await api.built()
    const { indexes } = (await api.advice()).meta
    expect(indexes).toEqual([
      {
        name: first.body.data[0].name,
        kind: 'btree',
        unique: false,
        fields: [{ field: 'people', use: 'equal', direction: 'asc' }],
        state: 'ready',
        progress: null,
        error: null,
        bytes: expect.any(Number),
        scans: expect.any(Number),
        createdAt: expect.any(String),
        readyAt: expect.any(String),
      },
    ])
    expect(Buffer.byteLength(indexes[0].name)).toBeLessThanOrEqual(63)
    expect((await api.drop(indexes[0].name)).status).toBe(200)
    expect((await api.drop(indexes[0].name)).status).toBe(404)
    expect(await usedIndexes()).toEqual([])
    const audited = await deps.db.select().from(auditLog)
    expect(audited.map(({ action, objectType }) => [action, objectType])).toEqual([
      ['indexes.create', 'Town'],
      ['indexes.delete', 'Town'],
    ])
  })

  test('is dropped once when several ask for it', async () => {
    const { body } = await api.create({ fields: ['people'] })
    await api.built()
    const drop = () => api.drop(body.data[0].name)
    const statuses = (await Promise.all([drop(), drop(), drop()])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 404, 404])
    const audited = await deps.db.select().from(auditLog)
    expect(audited.filter(({ action }) => action === 'indexes.delete')).toHaveLength(1)
  })

  test('of the definition can not be dropped here', async () => {
    const names = await rows<{ name: string }>(
      deps.db,
      sql`select indexname as name from pg_indexes where tablename = 'town' and indexname like 'ix%'`,
    )
    const { status, body } = await api.drop(String(names[0]?.name))
    expect(status).toBe(409)
    expect(body.error).toContain('belongs to the definition')
  })

  test('that stored values contradict fails with the reason, and can be tried again', async () => {
    await api.fill(100)
    expect((await api.create({ fields: ['country'], unique: true })).status).toBe(202)
    await api.built()
    const [failed] = (await api.advice()).meta.indexes
    expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining('same values') })
    expect(await usedIndexes()).toEqual([])
    await deps.db.execute(sql`delete from entities.town where people > 10`)
    expect((await api.create({ fields: ['country'], unique: true })).status).toBe(202)
    await api.built()
    expect((await api.advice()).meta.indexes).toMatchObject([{ state: 'ready', error: null }])
  })

  test('for values that are too long fails with the reason', async () => {
    const noise = sql`(select string_agg(md5(i::text), '') from generate_series(1, 500) i)`
    await deps.db.execute(sql`insert into entities.town (name) select ${noise}`)
    await api.create({ fields: ['name'] })
    await api.built()
    expect((await api.advice()).meta.indexes).toMatchObject([
      { state: 'failed', error: 'A value is longer than an index can hold' },
    ])
  })

  test('that a crash left unfinished is built at the next start', async () => {
    await api.fill(100)
    const { body } = await api.create({ fields: ['people'] })
    await api.built()
    const { name } = body.data[0]
    await deps.db.execute(
      sql`update pg_index set indisvalid = false where indexrelid = ${`entities.${name}`}::regclass`,
    )
    expect((await api.advice()).meta.indexes).toMatchObject([{ state: 'building' }])
    await api.built()
    expect((await api.advice()).meta.indexes).toMatchObject([{ name, state: 'ready' }])
  })

  test('whose entry is lost is dropped', async () => {
    await api.create({ fields: ['people'] })
    await api.built()
    await deps.db.update(entities).set({ addedIndexes: [] })
    await registryChanged(deps)
    await api.built()
    expect(await usedIndexes()).toEqual([])
  })

  test('of a system entity is not allowed, and such an entity has no advice', async () => {
    const params = { entityName: 'EngineUsers' }
    const as = 'ADMIN'
    const made = await call(deps, createIndex, {
      method: 'POST',
      path: '/api/entities/EngineUsers/indexes',
      as,
      body: { fields: ['email'] },
      params,
    })
    const dropped = await call(deps, dropIndex, {
      method: 'DELETE',
      path: '/api/entities/EngineUsers/indexes/x',
      as,
      params: { ...params, name: 'x' },
    })
    const path = '/api/entities/EngineUsers/advice'
    const advice = await call(deps, getAdvice, { path, as, params })
    expect([made.status, dropped.status, advice.status]).toEqual([405, 405, 404])
  })
})
