import { beforeEach } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { testKey, testRequest } from '@/lib/testing/request'
import { POST } from '../route'

export const deps = freshDeps()

export let headers: Record<string, string>

const properties = [
  { name: 'name', type: 'string' },
  { name: 'age', type: 'bigint' },
  { name: 'price', type: 'decimal' },
  { name: 'on', type: 'boolean' },
  { name: 'day', type: 'date' },
  { name: 'at', type: 'datetime' },
  { name: 'doc', type: 'json' },
]
export const full = {
  name: 'say "hi",\r\nÄ€😀',
  age: -5,
  price: '12345678901234567890.10',
  on: true,
  day: '2024-02-29',
  at: '2024-02-29T12:00:00.123Z',
  doc: { a: [1, 'x\n\t\\'] },
  'odd, name': '=1+1',
  count: -7,
}

beforeEach(async () => {
  await installTestEntity(deps, { entity: { name: 'Thing' }, schema: { properties } }, [
    full,
    { name: '' },
    { name: '=cmd()', on: false },
  ])
  headers = { authorization: `Bearer ${await testKey(deps, ['VIEWER'])}` }
})

export const ask = async (query: string, body: object = {}, as = headers) => {
  const path = `/api/entities/Thing/export?${query}`
  const request = await testRequest(deps, { method: 'POST', path, body, headers: as })
  return POST(request, { params: Promise.resolve({ entityName: 'Thing' }) })
}

export const textOf = async (query: string, body?: object) => (await ask(query, body)).text()
