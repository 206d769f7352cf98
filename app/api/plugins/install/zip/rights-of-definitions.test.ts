import { describe, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { BOOKS, deps, install, titled } from '../../testing/books'
import { install as installAsAdmin } from '../../testing/plugin-api'
import { uninstall } from '../../testing/uninstall-api'

describe('definitions', () => {
  test('of new entities need nothing more, and their records neither', async () => {
    expect((await install(BOOKS)).verdicts).toEqual({
      'EngineSchemas/Book.json': 'created',
      'EngineEntities/Book.json': 'created',
      'Book/data.json': 'created',
    })
  })

  test('of another plugin’s entities need write and update on them', async () => {
    await installAsAdmin(deps, BOOKS)
    const wider = titled({ type: 'text', label: 'Title' })
    const { verdicts, message } = await install(wider, 'Book:read')
    expect(verdicts).toEqual({ 'EngineSchemas/Book.json': 'Forbidden' })
    expect(message).toContain('"Book:write", "Book:update"')
    expect((await install(wider, 'Book:*')).verdicts).toEqual({
      'EngineSchemas/Book.json': 'updated',
    })
  })

  test('of entities that belong to no plugin need them too', async () => {
    await installAsAdmin(deps, BOOKS)
    await uninstall(deps, 'com.example.shop', '?records=keep')
    const wider = titled({ type: 'text', label: 'Title' }, {})
    const { verdicts, message } = await install(wider, 'Book:read')
    expect(verdicts).toEqual({ 'EngineSchemas/Book.json': 'Forbidden' })
    expect(message).toContain('which a change of "Book", which belongs to no plugin, needs')
    expect((await install(wider, 'Book:*')).verdicts).toEqual({
      'EngineSchemas/Book.json': 'updated',
    })
  })

  test('of entities that belong to no plugin need them to become its own, also unchanged', async () => {
    await installAsAdmin(deps, BOOKS)
    await uninstall(deps, 'com.example.shop', '?records=keep')
    const { verdicts } = await install(BOOKS, 'Book:read')
    expect(verdicts['EngineEntities/Book.json']).toBe('Forbidden')
    const { verdicts: allowed } = await install(BOOKS, 'Book:*')
    expect(allowed['EngineEntities/Book.json']).toBe('updated')
  })

  test('open nothing that the installer may not do', async () => {
    const pks = [{ key: 'no', strategy: 'Fixed', type: 'number' }]
    const closed = { name: 'Book', pks, permissions: { read: false, delete: false } }
    await installAsAdmin(deps, { ...BOOKS, 'EngineEntities/Book.json': closed })
    const entities = { 'Book.json': { name: 'Book', pks, permissions: { delete: false } } }
    const open = pluginFiles({ EngineEntities: { files: entities } })
    const { verdicts, message } = await install(open, 'Book:write')
    expect(verdicts).toEqual({ 'EngineEntities/Book.json': 'Forbidden' })
    expect(message).toContain('the right "Book:read", which the new permissions')
    expect((await install(open, 'Book:read')).verdicts).toEqual({
      'EngineEntities/Book.json': 'updated',
    })
  })

  test('rename an entity for installers with all rights to it alone, whichever plugin they claim to be', async () => {
    await installAsAdmin(deps, BOOKS)
    const pks = [{ key: 'no', strategy: 'Fixed', type: 'number' }]
    const mine = { name: 'Mine', pks, engineSchema: 'Book', renamedFrom: 'Book' }
    const renamed = { ...BOOKS, 'EngineEntities/Book.json': mine }
    for (const scopes of [['Mine:*'], ['Mine:*', 'Book:write', 'Book:update', 'Book:read']]) {
      const { verdicts, message } = await install(renamed, ...scopes)
      expect(verdicts).toMatchObject({ 'EngineEntities/Book.json': 'Forbidden' })
      expect(message).toContain('"Book:delete", which renaming "Book" to "Mine" needs')
    }
    const { verdicts } = await install(renamed, 'Book:*')
    expect(verdicts).toMatchObject({ 'EngineEntities/Book.json': 'updated' })
  })
})
