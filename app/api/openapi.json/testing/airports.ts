import { beforeEach } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { GET } from '../route'

export const deps = freshDeps()

const AIRPORT_ID = { entity: 'Airport', field: 'id' }

beforeEach(async () => {
  await installTestEntity(deps, {
    entity: { name: 'Country', pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }] },
    schema: { properties: [{ name: 'code', type: 'string' }] },
  })
  await installTestEntity(deps, { entity: { name: 'Airport', auditable: true }, schema: AIRPORT })
  await installTestEntity(deps, { entity: { name: 'Runway' }, schema: RUNWAY })
})

const RUNWAY = {
  properties: [
    { name: 'airport', type: 'bigint', meta: { required: true, reference: AIRPORT_ID } },
    {
      name: 'code',
      type: 'string',
      meta: { required: true, unique: true, pattern: '^\\d\\d[LR]$', example: '09L' },
    },
  ],
}

const AIRPORT = {
  additionalProperties: false,
  properties: [
    { name: 'name', type: 'string', label: 'Name', meta: { required: true, maxLength: 8 } },
    { name: 'kind', type: 'string', meta: { enum: ['civil', 'military'] } },
    { name: 'country', type: 'string', meta: { reference: { entity: 'Country', field: 'code' } } },
    { name: 'height', type: 'integer', meta: { min: 100, max: 9000, required: true } },
    { name: 'fee', type: 'decimal', meta: { max: 10 } },
    { name: 'opened', type: 'date' },
    { name: 'changed', type: 'datetime' },
    { name: 'opens', type: 'time' },
    { name: 'contact', type: 'email' },
    { name: 'active', type: 'boolean', meta: { required: true, default: true } },
    { name: 'code', type: 'string', meta: { pattern: '^[^a]$' } },
    { name: 'iata', type: 'string', meta: { pattern: '^[A-Z]{3}$' }, example: 'ZRH' },
    { name: 'runways', type: 'array' },
    { name: 'place', type: 'object' },
  ],
}

export type Document = {
  // biome-ignore lint/suspicious/noExplicitAny: a JSON document, of any shape
  [key: string]: any
}

export async function read(as?: string, scopes?: string[]): Promise<Document> {
  const { body } = await call(deps, GET, { path: '/api/openapi.json', as, scopes })
  return body
}

export const pathsOf = ({ paths }: Document, entity: string) =>
  Object.keys(paths).filter((path) => path.startsWith(`/api/entities/${entity}`))

export const methodsOf = ({ paths }: Document, path: string) =>
  Object.keys(paths[path] ?? {}).sort()
