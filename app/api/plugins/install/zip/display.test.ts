import { expect, test } from 'vitest'
import { GET as ENTITIES } from '@/app/api/entities/route'
import { GET as OPENAPI } from '@/app/api/openapi.json/route'
import { exportEdited, exportPlugin } from '@/app/api/plugins/testing/export-api'
import { install, upload } from '@/app/api/plugins/testing/plugin-api'
import { rolledBack, state } from '@/app/api/plugins/testing/rollbacks'
import {
  CHOICES,
  columns,
  DISPLAY,
  ID,
  plain,
  SHOWN,
  shown,
} from '@/app/api/plugins/testing/shown-things'
import {
  deps,
  ENTITY,
  installed,
  logOf,
  SCHEMA,
  search,
  version,
} from '@/app/api/plugins/testing/versions'
import { pluginFiles } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'

const json = (files: Record<string, string>, path: string) => JSON.parse(files[path] ?? 'null')

test('an install changes what people see, its plan says so, and no value', async () => {
  await installed(plain())
  const before = await search()
  const planned = await upload(deps, shown(), { query: '?dryRun=true' })
  const files = planned.body.data.plan.files
  expect(logOf(files, SCHEMA)?.changes).toEqual([
    'Change how name is shown: group, hint',
    'Change how status is shown: choices',
    'Change how weight is shown: number format, unit',
    'Change how due is shown: hidden in lists',
  ])
  expect(logOf(files, ENTITY)?.changes).toEqual([
    'Change how Thing is shown: columns, date, form, title',
  ])
  await installed(shown())
  expect(await search()).toEqual(before)

  const { data, meta } = await columns()
  const displays = Object.fromEntries(
    data.map((one: { name: string; display?: object }) => [one.name, one.display]),
  )
  expect(displays).toEqual({
    id: undefined,
    name: { group: 'Main', hint: 'As it is printed', roles: ['title'], column: 1 },
    status: { choices: [CHOICES[0]], column: 0 },
    weight: { format: { grouping: false }, unit: 'g' },
    due: { hidden: { list: true }, roles: ['date'] },
  })
  expect(meta.display).toEqual(DISPLAY)
  const listed = await call(deps, ENTITIES, { path: '/api/entities', as: 'ADMIN' })
  expect(listed.body.data[0].display).toEqual(DISPLAY)
  const described = await call(deps, OPENAPI, { path: '/api/openapi.json', as: 'ADMIN' })
  const { Thing } = described.body.components.schemas
  expect(Thing.properties.status).toMatchObject({
    enum: ['new', 'old', null],
    'x-enum-labels': { new: 'Just in' },
  })
  expect(Thing.properties.weight).toMatchObject({ 'x-unit': 'g' })
  expect(
    (await search({ query: [{ field: 'status', operator: 'eq', value: 'new' }] })).length,
  ).toBe(1)
})

test('an export has it, which installs as the same; a rollback takes it away', async () => {
  await installed(plain())
  const before = await state()
  const { body } = await install(deps, shown())
  const exported = await exportPlugin(deps, ID)
  expect(json(exported.files, 'EngineSchemas/Thing.json').properties.slice(1)).toEqual([
    { name: 'status', type: 'string', meta: { enum: CHOICES } },
    {
      ...{ name: 'weight', type: 'integer' },
      meta: { numberFormat: { grouping: false }, unit: 'g' },
    },
    { name: 'due', type: 'date', meta: { hidden: { list: true } } },
  ])
  expect(json(exported.files, 'EngineEntities/Thing.json').display).toEqual(DISPLAY)
  const again = await installed((await exportPlugin(deps, ID)).bytes as never)
  expect(again.map(({ status }) => status)).not.toContain('updated')
  await rolledBack(body.data.history + 1)
  await rolledBack(body.data.history)
  expect(await state()).toEqual(before)
})

test('a renamed field is named by its new name', async () => {
  await installed(shown())
  const edits = [{ type: 'rename-field', entity: 'Thing', field: 'due', to: 'deadline' }]
  const edited = await exportEdited(deps, ID, edits)
  const { body } = await install(deps, edited.bytes, { query: '?mode=atomic' })
  expect(body.data.failedCount).toBe(0)
  expect((await columns()).meta.display).toEqual({ ...DISPLAY, date: 'deadline' })
  await rolledBack(body.data.history)
  expect((await columns()).meta.display).toEqual(DISPLAY)
})

test('so is one that the schema of another file renames', async () => {
  await installed(shown())
  const properties = SHOWN.map((one) =>
    one.name === 'due' ? { ...one, name: 'deadline', renamedFrom: 'due' } : one,
  )
  await installed(
    pluginFiles({ EngineSchemas: { files: { 'Thing.json': { name: 'Thing', properties } } } }),
  )
  expect((await columns()).meta.display).toEqual({ ...DISPLAY, date: 'deadline' })
})

test('a schema that drops a shown field is installed, and the field left out of what is shown', async () => {
  await installed(shown())
  const { logs } = await install(
    deps,
    version({
      properties: SHOWN.filter(({ name }) => name !== 'due'),
      entity: { display: DISPLAY },
    }),
  )
  expect(logOf(logs, SCHEMA)).toMatchObject({
    status: 'updated',
    changes: expect.arrayContaining(['Thing is shown without a field: There is no property "due"']),
  })
  expect(logOf(logs, ENTITY)).toMatchObject({ status: 'unchanged' })
  expect((await columns()).meta.display).toEqual({ title: 'name', columns: ['status', 'name'] })
  const { files } = await exportPlugin(deps, ID)
  expect(json(files, 'EngineEntities/Thing.json').display).toEqual({
    title: 'name',
    columns: ['status', 'name'],
  })
})

test('a caller who may not read a field is not told that records are shown by it', async () => {
  const clerks = {
    ...{ name: 'clerks', principals: ['CLERK'], entities: ['Thing'], actions: ['read'] },
    fields: { except: ['due'] },
  }
  await installed({
    ...shown(),
    'EnginePolicies/__manifest__.json': { target: 'EnginePolicies' },
    'EnginePolicies/clerks.json': clerks,
  })
  const { data, meta } = await columns('CLERK')
  expect(data.map(({ name }: { name: string }) => name)).not.toContain('due')
  expect(meta.display).toEqual({ title: 'name', columns: ['status', 'name'] })
  const listed = await call(deps, ENTITIES, { path: '/api/entities', as: 'CLERK' })
  expect(listed.body.data[0].display).toEqual(meta.display)
})
