import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { exportPlugin } from '../../testing/export-api'
import { deps, ID, SHOP } from '../../testing/exported-shop'
import { install } from '../../testing/plugin-api'

describe('GET /api/plugins/:id/export', () => {
  test('is an archive of the definitions and records as they are now', async () => {
    await install(deps, SHOP)
    await deps.db.execute(sql`update entities.book set title = 'edited' where id = 1`)
    const { status, headers, files } = await exportPlugin(deps, ID)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/zip')
    expect(headers.get('content-disposition')).toContain('filename="com.example.shop-1.0.0.zip"')
    expect(Object.keys(files)).toEqual([
      'engineplugin.json',
      'EngineTypes/__manifest__.json',
      'EngineTypes/Short.json',
      'EngineSchemas/__manifest__.json',
      'EngineSchemas/Book.json',
      'EngineEntities/__manifest__.json',
      'EngineEntities/Book.json',
      'EngineEntities/Tag.json',
      'EngineRoles/__manifest__.json',
      expect.stringMatching(/^EngineRoles\/Clerk-Nord-[0-9a-f]{8}\.json$/),
      'EnginePolicies/__manifest__.json',
      'EnginePolicies/clerks.json',
      'Book/data.json',
      'Book/__manifest__.json',
      'Tag/data.json',
      'Tag/__manifest__.json',
    ])
    expect(JSON.parse(files['engineplugin.json'] ?? '')).toEqual(
      JSON.parse(JSON.stringify(SHOP['engineplugin.json'])),
    )
    expect(files['Book/data.json']?.split('\n')).toEqual([
      '[',
      '{"id":1,"title":"edited","price":null,"code":null,"at":null,"doc":null,"parent":10},',
      '{"id":2,"title":"b","price":1,"code":"ab","at":null,"doc":{"deep": [1, 12345678901234567.25]},"parent":null,"extra": "x"},',
      '{"id":10,"title":"Ä \\"quoted\\"\\n€😀","price":"12345678901234567890.10","code":null,"at":"2024-02-29T12:00:00.000Z","doc":null,"parent":null}',
      ']',
      '',
    ])
    expect(files['Tag/data.json']).toBe('[\n{"name":"B"},\n{"name":"a"},\n{"name":"b"}\n]\n')
    expect(JSON.parse(files['Tag/__manifest__.json'] ?? '')).toEqual({
      target: 'Tag',
      insertDuplicate: 'Upsert',
    })
  })

  test('an unknown plugin is 404, and another choice of records 400', async () => {
    expect(await exportPlugin(deps, 'com.example.none')).toMatchObject({
      status: 404,
      error: 'The plugin "com.example.none" is not installed',
    })
    await install(deps, SHOP)
    expect((await exportPlugin(deps, ID, '?records=some')).status).toBe(400)
  })

  test('needs the right to read each entity whose records it has', async () => {
    await install(deps, SHOP)
    const refused = await exportPlugin(deps, ID, '', { scopes: ['plugins:read', 'Book:read'] })
    expect(refused).toMatchObject({ status: 403, error: expect.stringContaining('"Tag:read"') })
    const all = { scopes: ['plugins:read', '*:read'] }
    expect((await exportPlugin(deps, ID, '', all)).status).toBe(200)
    const none = { scopes: ['plugins:read'] }
    expect((await exportPlugin(deps, ID, '?records=none', none)).status).toBe(200)
  })
})
