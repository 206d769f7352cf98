import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { install, type Log } from '@/app/api/plugins/testing/plugin-api'
import { CHANGED, edit, next, PROPERTIES, remove, THREE } from '@/app/api/plugins/testing/upgrades'
import { deps, installed, integer, text, version } from '@/app/api/plugins/testing/versions'
import { call, testRequest } from '@/lib/testing/request'
import { GET as EVENTS } from '../events/route'
import { GET as LOGS } from './route'

const PLAIN = ['plugins:read']
const READER = ['plugins:read', 'Thing:read']

const request = (id: number, rest: string, scopes: string[]) => ({
  ...{ path: `/api/plugins/history/${id}/${rest}`, as: 'ADMIN', scopes },
})

/** The report of the file of an install, from the logs and from the events, which must be the same. */
async function report(id: number, path: string, scopes: string[]): Promise<Log> {
  const params = { id: String(id) }
  const logs = await call(deps, LOGS, { ...request(id, 'logs', scopes), params })
  const log = logs.body.data.find((one: Log) => one.path === path)
  expect(await eventOf(id, path, scopes)).toEqual(log)
  return log
}

async function eventOf(id: number, path: string, scopes: string[]) {
  const params = Promise.resolve({ id: String(id) })
  const response = await EVENTS(await testRequest(deps, request(id, 'events', scopes)), { params })
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '))
  return lines.map((line) => JSON.parse(line.slice(6))).find((data) => data.path === path)
}

const attempt = async (files: Record<string, unknown>, query = '') =>
  (await install(deps, files, { query })).body.data.history as number

const DATA = 'Thing/data.json'

describe('reports of files', () => {
  test('show conflicts of records only to who may read them, and their number to all', async () => {
    await installed(next(THREE))
    await edit('price = 99999', 1)
    const id = await attempt(next(CHANGED))
    expect(await report(id, DATA, READER)).toMatchObject({
      conflicts: [{ key: '1', fields: [{ ours: 99999 }] }],
      conflictCount: 1,
    })
    const shown = await report(id, DATA, PLAIN)
    expect(shown).toMatchObject({ conflicts: [], conflictCount: 1 })
    expect(shown.records).toEqual((await report(id, DATA, READER)).records)
  })

  test('name fields only to those who may read them', async () => {
    await installed(next(THREE))
    const id = await attempt(version({ properties: [...PROPERTIES, integer('weight')] }))
    const path = 'EngineSchemas/Thing.json'
    const named = (log: Log) => JSON.stringify(log.changes).includes('weight')
    expect(named(await report(id, path, READER))).toBe(true)
    expect(named(await report(id, path, PLAIN))).toBe(false)
  })

  test('show what failed by conflicts without keys', async () => {
    await installed(next(THREE))
    await edit('price = 99999', 1)
    await remove(3)
    const id = await attempt(next(CHANGED), '?onConflict=fail')
    const whole = await report(id, DATA, READER)
    expect(whole.details.map(({ key }) => key)).toEqual(['1', '3'])
    const { details, groups, ...shown } = await report(id, DATA, PLAIN)
    expect(shown).toMatchObject({ conflicts: [], conflictCount: 2, detailCount: 2 })
    expect(details).toEqual(whole.details.map(({ message }) => ({ message })))
    expect(groups).toEqual(whole.groups.map((group) => ({ ...group, keys: [], filter: null })))
  })

  test('show stored records that a definition contradicts without keys and values', async () => {
    await installed(next(THREE))
    await edit('price = 99999', 1)
    const stricter = [text('name'), integer('price', { max: 10 }), text('note')]
    const id = await attempt(version({ properties: stricter }))
    const path = 'EngineSchemas/Thing.json'
    const whole = await report(id, path, READER)
    expect(whole).toMatchObject({
      error: 'Incompatible change',
      details: [{ key: 1, value: 99999 }],
      groups: [{ entity: 'Thing', total: 1, keys: [1] }],
    })
    const shown = await report(id, path, PLAIN)
    expect(shown).toMatchObject({ groups: [{ entity: 'Thing', total: 1, keys: [], filter: null }] })
    expect(JSON.stringify(shown)).not.toContain('99999')
    expect(shown.details).toEqual([{ index: 0, message: whole.details[0]?.message }])
  })

  test('show taken values of a file without what is stored', async () => {
    const unique = PROPERTIES.map((one) =>
      one.name === 'name' ? { ...one, meta: { unique: true } } : one,
    )
    await installed(next(THREE, { properties: unique }))
    await edit(`name = 'Taken'`, 2)
    const taken = [{ id: 4, name: 'Taken', price: 1 }]
    const id = await attempt(next(taken, { properties: unique }))
    expect((await report(id, DATA, READER)).details).toMatchObject([{ key: 4, value: 'Taken' }])
    expect((await report(id, DATA, PLAIN)).details).toEqual([
      { index: 0, pointer: '/name', message: 'is in conflict with another record' },
    ])
  })

  test('of an entity that its definition closes to reading are not shown to any caller', async () => {
    await installed(next(THREE))
    await edit('price = 99999', 1)
    const permissions = { read: false, write: true, update: true, delete: true }
    const id = await attempt(next(CHANGED, { entity: { permissions } }))
    expect(await report(id, DATA, READER)).toMatchObject({ conflicts: [], conflictCount: 1 })
  })

  test('of an entity that is gone are shown by the right alone', async () => {
    await installed(next(THREE))
    await edit('price = 99999', 1)
    const id = await attempt(next(CHANGED))
    await deps.db.execute(
      sql`update engine.install_files set target = 'Gone' where target = 'Thing'`,
    )
    expect(await report(id, DATA, READER)).toMatchObject({ conflicts: [] })
    const all = ['plugins:read', '*:read']
    expect(await report(id, DATA, all)).toMatchObject({ conflicts: [{ key: '1' }] })
  })
})
