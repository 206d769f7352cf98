import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { DELETE } from '@/app/api/entities/[entityName]/batch/route'
import { POST as SEARCH } from '@/app/api/entities/[entityName]/search/route'
import { pluginFiles } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import { count, deps, FIXED, numbered, plugin } from '../../testing/numbered-plugins'
import { install } from '../../testing/plugin-api'

describe('beside an install', () => {
  test('searches and deletes continue, and only see whole files', async () => {
    const FILES = 8
    const data = Array.from({ length: FILES }, (_, file) => [
      `${file}.json`,
      Array.from({ length: 250 }, (_, n) => ({ id: `${file}-${n}`, file })),
    ])
    const files = pluginFiles({
      EngineEntities: { files: { 'Thing.json': { name: 'Thing', pks: FIXED } } },
      Thing: { files: Object.fromEntries(data) },
    })
    await install(deps, plugin('before', 'Other', numbered(10)))
    let isOver = false
    const running = install(deps, files).finally(() => {
      isOver = true
    })
    const totals = new Set<number>()
    while (!isOver) {
      await nextTurn() // the embedded database returns without yielding, and the install needs the event loop
      const found = await search('Thing')
      if (found.status === 200) totals.add(found.body.pagination.total)
      else expect(found.status).toBe(404)
      expect((await search('Other')).status).toBe(200)
      expect((await remove('Other', [{ field: 'id', operator: 'eq', value: '1' }])).status).toBe(
        200,
      )
    }
    expect((await running).body.data.failedCount).toBe(0)
    expect([...totals].filter((total) => total % 250 !== 0)).toEqual([])
    expect((await search('Thing')).body.pagination.total).toBe(FILES * 250)
  })

  test('a delete of all its records leaves those of whole files', async () => {
    const files = plugin('a', 'Thing', numbered(500), { insertDuplicate: 'Upsert' })
    await install(deps, files)
    for (let round = 0; round < 5; round++) {
      const [{ logs }, removed] = await Promise.all([install(deps, files), remove('Thing')])
      expect(removed.status).toBe(200)
      expect(logs.at(-1)?.status).not.toBe('failed')
      expect([0, 500]).toContain(await count('thing'))
    }
  })

  const search = (entityName: string) =>
    call(deps, SEARCH, {
      method: 'POST',
      path: `/api/entities/${entityName}/search`,
      params: { entityName },
      body: {},
      as: 'ADMIN',
    })
  const remove = (entity: string, query?: object[]) =>
    call(deps, DELETE, {
      method: 'DELETE',
      path: `/api/entities/${entity}/batch`,
      params: { entityName: entity },
      body: { entity, query },
      as: 'ADMIN',
    })
})
