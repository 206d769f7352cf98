import { beforeAll, describe, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { exportEntities } from '../testing/export-api'
import { install, verdicts } from '../testing/plugin-api'

const deps = currentDeps()

const SHOP = pluginFiles({
  EngineSchemas: {
    files: {
      'a.json': { name: 'Author', properties: [{ name: 'name', type: 'string' }] },
      'b.json': {
        name: 'Book',
        properties: [
          { name: 'title', type: 'string' },
          {
            name: 'author',
            type: 'bigint',
            meta: { reference: { entity: 'Author', field: 'id' } },
          },
        ],
      },
    },
  },
  EngineEntities: { files: { 'a.json': { name: 'Author' }, 'b.json': { name: 'Book' } } },
  EngineRoles: { files: { 'r.json': [{ name: 'Clerk' }, { name: 'Reader' }] } },
  EnginePolicies: {
    files: {
      'p.json': { name: 'clerks', principals: ['Clerk'], entities: ['Book'], actions: ['read'] },
    },
  },
  Author: {
    files: {
      'data.json': [
        { id: 1, name: 'Austen' },
        { id: 2, name: 'Brontë' },
      ],
    },
  },
  Book: {
    files: {
      'data.json': [
        { id: 1, title: 'Emma', author: 1 },
        { id: 2, title: 'Villette', author: 2 },
        { id: 3, title: 'Persuasion', author: 1 },
      ],
    },
  },
})
const BODY = { id: 'com.example.part', name: 'Part', version: '2.0.0' }

describe('POST /api/plugins/export', () => {
  // The tests only read, but for plugins of their own.
  beforeAll(async () => {
    await testDeps()
    await install(deps, SHOP)
  })

  test('is a new plugin of the chosen entities, records, roles and policies', async () => {
    const query = [{ field: 'author.name', operator: 'eq', value: 'Austen' }]
    const { status, headers, files } = await exportEntities(deps, {
      ...BODY,
      entities: [{ name: 'Book', query }, { name: 'Author' }],
      roles: ['Clerk'],
      policies: ['clerks'],
    })
    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toContain('filename="com.example.part-2.0.0.zip"')
    expect(JSON.parse(files['engineplugin.json'] ?? '')).toEqual(BODY)
    expect(Object.keys(files).filter((path) => !path.endsWith('__manifest__.json'))).toEqual([
      'engineplugin.json',
      'EngineSchemas/Author.json',
      'EngineSchemas/Book.json',
      'EngineEntities/Author.json',
      'EngineEntities/Book.json',
      'EngineRoles/Clerk.json',
      'EnginePolicies/clerks.json',
      'Book/data.json',
      'Author/data.json',
    ])
    expect(JSON.parse(files['Book/data.json'] ?? '')).toEqual([
      { id: 1, title: 'Emma', author: 1 },
      { id: 3, title: 'Persuasion', author: 1 },
    ])
  })

  test('installs, and everything in it is as it was', async () => {
    const { bytes } = await exportEntities(deps, { ...BODY, entities: [{ name: 'Author' }] })
    const { body, logs } = await install(deps, bytes)
    expect(body.data).toMatchObject({ pluginId: BODY.id, failedCount: 0 })
    expect(new Set(Object.values(verdicts(logs)))).toEqual(new Set(['unchanged']))
  })

  test('names every unknown name with the nearest one', async () => {
    const refused = await exportEntities(deps, {
      ...BODY,
      entities: [{ name: 'Bok' }, { name: 'Author' }, { name: 'Author' }],
      roles: ['Clark'],
      policies: ['none'],
    })
    expect(refused.status).toBe(400)
    expect(JSON.parse(Buffer.from(refused.bytes).toString()).validations).toEqual([
      { field: 'entities.0.name', error: 'There is no entity "Bok"; did you mean "Book"?' },
      { field: 'entities.2.name', error: 'Is given twice' },
      { field: 'roles.0', error: '"Clark" is not installed; did you mean "Clerk"?' },
      { field: 'policies.0', error: '"none" is not installed' },
    ])
  })

  test.each([
    [{ id: 'part' }, 'reverse-domain'],
    [{ entities: [] }, 'at least one entity'],
    [
      { entities: [{ name: 'Book', query: [{ field: 'titel', operator: 'eq', value: 1 }] }] },
      'title',
    ],
    [{ entities: [{ name: 'EngineUsers' }] }, 'no entity'],
    [{ entites: [] }, 'entites'],
  ])('refuses %j', async (part, message) => {
    const { status, bytes } = await exportEntities(deps, {
      ...BODY,
      entities: [{ name: 'Book' }],
      ...part,
    })
    expect(status).toBe(400)
    expect(Buffer.from(bytes).toString()).toContain(message)
  })

  test('names a condition at fault by its place in the body', async () => {
    const query = [{ field: 'titel', operator: 'eq', value: 'x' }]
    const { bytes } = await exportEntities(deps, {
      ...BODY,
      entities: [{ name: 'Author' }, { name: 'Book', query }],
    })
    const { validations } = JSON.parse(Buffer.from(bytes).toString())
    expect(validations[0].field).toBe('entities.1.query.0.field')
  })

  test('needs the right to read what it contains', async () => {
    const body = { ...BODY, entities: [{ name: 'Book' }], roles: ['Clerk'] }
    for (const [scopes, status] of [
      [['plugins:read'], 403],
      [['plugins:read', 'Book:read'], 403],
      [['plugins:read', 'Book:read', 'EngineRoles:read'], 200],
      [['Book:read', 'EngineRoles:read'], 403],
    ] as const)
      expect((await exportEntities(deps, body, { scopes: [...scopes] })).status).toBe(status)
  })
})
