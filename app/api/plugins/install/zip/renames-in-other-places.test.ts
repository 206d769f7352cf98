import { describe, expect, test } from 'vitest'
import { PATCH } from '@/app/api/entities/[entityName]/batch/route'
import { POST as ADD_INDEX } from '@/app/api/entities/[entityName]/indexes/route'
import { POST as RESTORE } from '@/app/api/trash/[batchId]/restore/route'
import { POST as SAVE_VIEW, GET as VIEWS } from '@/app/api/views/route'
import { pluginFiles } from '@/lib/testing/archive'
import { foreignKeys, tableIndexDefinitions } from '@/lib/testing/define'
import { call } from '@/lib/testing/request'
import { recordsOf } from '../../testing/records'
import { renamed, v1, v2 } from '../../testing/renamed-properties'
import { deps, installed, logOf, SCHEMA, search } from '../../testing/versions'

describe('what names a renamed property', () => {
  test('follows: views, the trash, added indexes, references of other plugins', async () => {
    await installed(v1())
    await installed(
      pluginFiles(
        {
          EngineEntities: { files: { 'Part.json': { name: 'Part' } } },
          EngineSchemas: {
            files: {
              'Part.json': {
                name: 'Part',
                properties: [
                  { name: 'of', type: 'string', reference: { entity: 'Thing', field: 'company' } },
                ],
              },
            },
          },
          Part: { files: { 'data.json': [{ of: 'a' }] } },
        },
        { id: 'com.example.parts' },
      ),
    )
    const filter = JSON.stringify([{ field: 'company', operator: 'eq', value: 'a' }])
    const params = `?${new URLSearchParams({ sort: 'n:asc,company:desc', cols: 'id,company', by: 'company', filter })}`
    const view = { entity: 'Thing', name: 'Mine', params, shared: true }
    await call(deps, SAVE_VIEW, { method: 'POST', path: '/api/views', body: view, as: 'ADMIN' })
    await call(deps, ADD_INDEX, {
      method: 'POST',
      path: '/api/entities/Thing/indexes',
      params: { entityName: 'Thing' },
      body: { fields: ['n', 'company'] },
      as: 'ADMIN',
    })
    const { body } = await recordsOf(deps, 'Thing').remove(2, '?undo=1d')

    const logs = await installed(v2())
    expect(logOf(logs, SCHEMA)?.changes).toContain(
      'Changed to the new names of Thing too: 1 reference, 1 saved view, 1 undoable change',
    )
    const views = await call(deps, VIEWS, { path: '/api/views?entity=Thing', as: 'ADMIN' })
    const saved = new URLSearchParams(views.body.data[0].params)
    expect(saved.get('sort')).toBe('n:asc,organisation:desc')
    expect(saved.get('cols')).toBe('id,organisation')
    expect(saved.get('by')).toBe('organisation')
    expect(JSON.parse(saved.get('filter') ?? '')).toMatchObject([{ field: 'organisation' }])
    expect(await foreignKeys(deps)).toEqual(['part.of → thing.organisation'])
    expect((await tableIndexDefinitions(deps, 'thing')).join('\n')).not.toContain('company')
    const { batchId } = body.meta
    const restored = await call(deps, RESTORE, {
      method: 'POST',
      path: `/api/trash/${batchId}/restore`,
      params: { batchId },
      as: 'ADMIN',
    })
    expect(restored.body.data).toMatchObject([{ restored: 1 }])
    expect(await search()).toEqual(renamed)
  })

  test('follows: what an edit of many records replaced', async () => {
    await installed(v1())
    const edited = await call(deps, PATCH, {
      method: 'PATCH',
      path: '/api/entities/Thing/batch?undo=1d',
      params: { entityName: 'Thing' },
      body: { entity: 'Thing', set: { company: { $append: '!' } } },
      as: 'ADMIN',
    })
    await installed(v2())
    expect(await search()).toMatchObject([{ organisation: 'a!' }, { organisation: 'b!' }])
    const { batchId } = edited.body.meta
    const restored = await call(deps, RESTORE, {
      method: 'POST',
      path: `/api/trash/${batchId}/restore`,
      params: { batchId },
      as: 'ADMIN',
    })
    expect(restored.body.data).toEqual([{ restored: 2, conflicts: [] }])
    expect(await search()).toEqual(renamed)
  })
})
