import { expect, test } from 'vitest'
import { GET as DEFINITION } from '@/app/api/entities/[entityName]/definition/route'
import {
  CHOICES,
  columns,
  DISPLAY,
  ID,
  params,
  records,
  SHOWN,
  shown,
} from '@/app/api/plugins/testing/shown-things'
import { deps, installed, text, version } from '@/app/api/plugins/testing/versions'
import { call } from '@/lib/testing/request'
import { POST as APPLY } from './apply/route'

test('the model is read and applied with it', async () => {
  await installed(shown())
  const read = async () =>
    (await call(deps, DEFINITION, { path: '/api/entities/Thing/definition', params, as: 'ADMIN' }))
      .body.data[0]
  const { plugin, entity, schema } = await read()
  expect(entity.display).toEqual(DISPLAY)
  const body = { plugin, entities: [{ ...entity, display: { form: 'table' } }], schemas: [schema] }
  const path = '/api/model/apply'
  expect((await call(deps, APPLY, { method: 'POST', path, body, as: 'ADMIN' })).status).toBe(200)
  expect((await read()).entity.display).toEqual({ form: 'table' })
  expect((await read()).schema).toEqual(schema)
})

/** The definition of an entity of the plugin, changed by clicking. */
async function edit(part: (definition: { entity: object; schema: object }) => object) {
  const path = '/api/entities/Thing/definition'
  const read = await call(deps, DEFINITION, { path, params, as: 'ADMIN' })
  const body = { plugin: ID, ...part(read.body.data[0]) }
  const applied = await call(deps, APPLY, {
    ...{ method: 'POST', path: '/api/model/apply', body, as: 'ADMIN' },
  })
  expect(applied.status).toBe(200)
}

test('what was changed of it here is merged with the author’s next version', async () => {
  await installed(shown({ title: 'name', columns: ['name'] }))
  const mine = text('status', { enum: [{ ...(CHOICES[0] as object), color: 'red' }, 'old'] })
  await edit(({ entity, schema }) => ({
    entities: [{ ...entity, display: { title: 'name', columns: ['name'], form: 'table' } }],
    schemas: [{ ...schema, properties: SHOWN.map((one) => (one.name === 'status' ? mine : one)) }],
  }))
  const incoming = SHOWN.map((one) =>
    one.name === 'status'
      ? text('status', { enum: [...CHOICES, { value: 'lost', label: 'Lost' }] })
      : { ...one, meta: { ...one.meta, group: 'All' } },
  )
  const display = { title: 'name', columns: ['name', 'status'] }
  await installed(version({ properties: incoming, entity: { display }, records }))
  const { data, meta } = await columns()
  const described = data.find(({ name }: { name: string }) => name === 'status')
  expect(described.display.choices).toEqual([
    { value: 'new', label: 'Just in', color: 'red' },
    { value: 'lost', label: 'Lost' },
  ])
  expect(meta.display).toEqual({ ...display, form: 'table' })
})

test('the author’s next version may drop a field by which records are shown here', async () => {
  await installed(version({ properties: SHOWN, records }))
  await edit(({ entity }) => ({ entities: [{ ...entity, display: DISPLAY }] }))
  const left = SHOWN.filter(({ name }) => name !== 'due')
  await installed(version({ properties: left, records: [{ id: 1, name: 'Cup' }] }))
  expect((await columns()).meta.display).toEqual({ title: 'name', columns: ['status', 'name'] })
})
