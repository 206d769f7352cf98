import { beforeEach, expect, test } from 'vitest'
import { allow, clerk } from '@/app/api/entities/[entityName]/testing/branches'
import { currentDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { makeImage } from '@/lib/testing/images'
import { call } from '@/lib/testing/request'
import { imageApi } from '../../testing/image-api'
import { GET } from './route'

const deps = currentDeps()
const api = imageApi()
const PNG = await makeImage('png', { width: 4, height: 3 })

beforeEach(async () => {
  await api.open('local')
})

test('names the records and fields that the caller may see, and tells nothing of others', async () => {
  const image = await api.take(PNG)
  const names = ['name', 'title', 'photo', 'secret', 'state']
  const properties = names.map((name) => ({ name, type: 'string' }))
  const records = [
    { name: 'Own', title: 'A', photo: image.uri, secret: image.uri, state: 'open' },
    { name: 'Hidden row', title: 'B', photo: image.uri, state: 'closed' },
    { name: 'Hidden field', title: 'C', secret: image.uri, state: 'open' },
    { name: 'Hidden extra', title: 'D', state: 'open', remark: image.uri },
    { name: 'Extra', title: 'E', state: 'open', note: image.uri, remark: image.uri },
    { name: 'Masked', title: 'F', photo: image.uri, state: 'half' },
  ]
  await installTestEntity(deps, { entity: { name: 'Page' }, schema: { properties } }, records)
  const deny = (policy: object) => allow({ entities: ['Page'], allow: false, ...policy })
  await deny({ where: [{ field: 'state', operator: 'eq', value: 'closed' }] })
  await deny({ fields: ['name', 'secret', 'remark'] })
  await deny({ fields: ['photo'], where: [{ field: 'state', operator: 'eq', value: 'half' }] })
  const headers = await clerk({}, ['Clerk', 'VIEWER'])
  const path = `/api/images/${image.fileId}/uses`
  const found = await call(deps, GET, { path, headers, params: { fileId: image.fileId } })
  const shown = found.body.data.map(({ title, fields }: { title: string; fields: string[] }) => [
    ...[title, ...fields],
  ])
  expect(shown).toEqual([
    ['A', 'photo'],
    ['E', 'note'],
  ])
  expect(found.body.meta).toEqual({ hidden: 0, more: [], incomplete: [], complete: true })
  expect(found.text).not.toMatch(/secret|remark|Hidden|Own/)
})
