import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { POST as search } from '@/app/api/entities/[entityName]/search/route'
import { searchShapes } from '@/lib/db/schema'
import { definePolicy } from '@/lib/policies/define-policy'
import { parsePolicy } from '@/lib/policies/parse-policy'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { byCountry, startAdviceApi } from './testing/advice-api'

const deps = freshDeps({ SLOW_SEARCH_MS: '0' })

let api: Awaited<ReturnType<typeof startAdviceApi>>
beforeEach(async () => {
  api = await startAdviceApi(deps)
})

describe('slow searches', () => {
  test('are kept by their shape with their times, never with a value', async () => {
    await api.find(byCountry('secret-1'))
    await api.find(byCountry('secret-2'))
    await api.find({ query: [{ field: 'people', operator: 'gt', value: 7 }], count: 'none' })
    const { data, meta } = await api.advice()
    expect(data.map(({ runs }: { runs: number }) => runs).sort()).toEqual([1, 2])
    expect(data.find(({ runs }: { runs: number }) => runs === 2)).toMatchObject({
      search: {
        where: [{ field: 'country', operator: 'eq' }],
        sort: [{ field: 'name', direction: 'desc' }],
        count: 'exact',
      },
      meanMs: expect.any(Number),
      before: null,
    })
    expect(meta).toMatchObject({ slowSearchMs: 0, indexes: [] })
    const stored = JSON.stringify(await deps.db.select().from(searchShapes))
    expect(stored).not.toContain('secret')
  })

  test('have one shape whatever the order and number of equal conditions', async () => {
    const test = (field: string) => ({ field, operator: 'ilike', value: Math.random().toString() })
    await api.find({ query: [test('name'), test('country')] })
    await api.find({ query: [test('country'), test('name'), test('name')] })
    expect((await api.advice()).data).toMatchObject([{ runs: 2 }])
  })

  test('of callers with policies have the conditions of these, and no field that only some records show', async () => {
    const where = [{ field: 'country', operator: 'eq', value: 'secret-3' }]
    const policies = [
      { where, fields: ['people'] },
      { where: [{ ...where[0], value: 'x' }], fields: ['name'] },
    ]
    for (const [at, policy] of policies.entries()) {
      const name = {
        name: `Policy ${at}`,
        principals: ['Clerk'],
        entities: ['Town'],
        actions: ['read'],
      }
      const parsed = parsePolicy({ ...name, ...policy })
      if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
      await definePolicy(deps.db, parsed.definition, 'test')
    }
    const { status, body } = await call(deps, search, {
      ...{
        method: 'POST',
        path: '/api/entities/Town/search',
        params: { entityName: 'Town' },
        as: 'Clerk',
      },
      body: { query: [{ field: 'people', operator: 'gt', value: 7 }], sort: [{ field: 'people' }] },
    })
    expect([status, body.data]).toEqual([200, []])
    const { data } = await api.advice()
    const country = { field: 'country', operator: 'eq' }
    expect(data.map(({ search }: { search: object }) => search)).toMatchObject([
      { where: [{ operator: 'or', of: [country] }], sort: [] },
    ])
    expect(JSON.stringify(data)).not.toContain('secret')
  })

  test('below the threshold are not kept', async () => {
    Object.assign(deps, { settings: { ...deps.settings, SLOW_SEARCH_MS: 1_000_000 } })
    await api.find({ query: [{ field: 'name', operator: 'nin', value: ['x'] }] })
    expect((await api.advice()).data).toEqual([])
  })
})

describe('advice', () => {
  test('names the index: equality first, then the sort; what it costs, and what it should gain', async () => {
    await api.fill(5_000)
    await api.find(byCountry('c1'))
    const [{ suggestions }] = (await api.advice()).data
    expect(suggestions).toEqual([
      {
        create: {
          kind: 'btree',
          fields: [
            { field: 'country', use: 'equal', direction: 'asc' },
            { field: 'name', use: 'sort', direction: 'asc' },
          ],
        },
        why: 'Finds records by country and returns them in the order of name',
        verdict: 'create',
        existing: null,
        cost: { bytes: expect.any(Number), entriesPerRecord: 1 },
        gain: {
          method: 'estimate',
          costNow: expect.any(Number),
          costWith: expect.any(Number),
          matches: expect.any(Number),
        },
      },
    ])
    expect(suggestions[0].gain.costWith).toBeLessThan(suggestions[0].gain.costNow / 2)
  })

  test('says trigram for parts of texts, JSON for undeclared fields, and what no index helps', async () => {
    await api.fill(5_000)
    await api.find({
      query: [
        { field: 'name', operator: 'icontains', value: 'abc' },
        { field: 'colour', operator: 'eq', value: 'c1' },
        { field: 'people', operator: 'ne', value: 1 },
      ],
    })
    const [{ suggestions, notes }] = (await api.advice()).data
    const kinds = suggestions.map(
      ({ create }: { create: { kind: string; fields: { field: string }[] } }) => [
        create.kind,
        create.fields[0]?.field,
      ],
    )
    expect(kinds).toEqual([
      ['json', 'colour'],
      ['trigram', 'name'],
    ])
    expect(notes).toEqual(['No index serves people ne'])
  })

  test('says that an index exists already, or that the table is too small', async () => {
    await api.find({ query: [{ field: 'zip', operator: 'eq', value: 1 }] })
    await api.find({ query: [{ field: 'people', operator: 'eq', value: 1 }] })
    const found = (await api.advice()).data.flatMap(
      ({ suggestions }: { suggestions: { verdict: string; existing: string | null }[] }) =>
        suggestions,
    )
    expect(found.map(({ verdict }: { verdict: string }) => verdict).sort()).toEqual([
      'exists',
      'too small',
    ])
    expect(found.find(({ verdict }: { verdict: string }) => verdict === 'exists').existing).toMatch(
      /^ix_/,
    )
  })

  test('plans with hypothetical indexes where the database has hypopg', async () => {
    await api.fill(5_000)
    // A stand-in that makes a real index, which goes with the transaction of the plan.
    await deps.db.execute(sql`create schema pretend`)
    await deps.db.execute(sql`create function pretend.hypopg_create_index(text) returns boolean language plpgsql as
      $$ begin execute $1; return true; end $$`)
    await deps.db.execute(sql`create function pretend.hypopg_reset() returns void language plpgsql as
      $$ begin execute (select 'drop index ' || string_agg(indexname, ', entities.') from pg_indexes where false); exception when others then null; end $$`)
    await api.find(byCountry('c1'))
    const [{ suggestions }] = (await api.advice()).data
    await deps.db.execute(sql`drop schema pretend cascade`)
    expect(suggestions[0].gain.method).toBe('hypothetical plan')
    expect(suggestions[0].gain.costWith).toBeLessThan(suggestions[0].gain.costNow)
  })

  test('after an index is built compares the figures from before with those since', async () => {
    await api.fill(2_000)
    await api.find(byCountry('c1'))
    const [before] = (await api.advice()).data
    const { status, body } = await api.create(before.suggestions[0].create)
    expect(status).toBe(202)
    expect(body.data).toMatchObject([
      { state: 'building', name: expect.stringMatching(/^ax_town_country_name/) },
    ])
    await api.built()
    // Also runs that are no longer slow count.
    Object.assign(deps, { settings: { ...deps.settings, SLOW_SEARCH_MS: 1_000_000 } })
    await api.find(byCountry('c1'))
    await api.find(byCountry('c2'))
    const { data, meta } = await api.advice()
    expect(meta.indexes).toMatchObject([{ state: 'ready', readyAt: expect.any(String) }])
    expect(data).toMatchObject([
      {
        runs: 2,
        before: { runs: 1 },
        suggestions: [{ verdict: 'exists', existing: meta.indexes[0].name }],
      },
    ])
    expect((await api.drop(meta.indexes[0].name)).status).toBe(200)
    expect((await api.advice()).data).toMatchObject([{ runs: 1, before: null }])
  })
})
