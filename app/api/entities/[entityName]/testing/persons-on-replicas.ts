import { beforeEach, expect } from 'vitest'
import { GET as readReadiness } from '@/app/api/health/ready/route'
import { installTestEntity } from '@/lib/testing/entity'
import { type Replicated, replicated } from '@/lib/testing/replicated'
import { call } from '@/lib/testing/request'
import { POST as count } from '../count/route'
import { POST as exportRecords } from '../export/route'
import { GET, POST } from '../route'
import { POST as search } from '../search/route'

/** Longer than a busy machine takes for some requests. */
const MAX_LAG_MS = 4_000

export const PERSON = {
  entity: { name: 'Person' },
  schema: { properties: [{ name: 'name', type: 'string' }] },
}

export const params = { entityName: 'Person' }
export const path = '/api/entities/Person'
type Headers = Record<string, string>

/** The entity Person on a server with a replica, which is read when a test begins. */
export function personsOnReplicas() {
  const persons = replicated({ maxLagMs: MAX_LAG_MS }, ({ deps }) =>
    installTestEntity(deps, PERSON),
  )
  beforeEach(async () => {
    const there = persons.current()
    if (there) await untilFresh(there)
  })
  return persons
}

/** Creates a record and returns the header by which reads see it. */
export async function create({ deps }: Replicated, name: string): Promise<string> {
  const body = { name }
  const { status, headers } = await call(deps, POST, {
    method: 'POST',
    path,
    params,
    body,
    as: 'ADMIN',
  })
  expect(status).toBe(201)
  return headers.get('x-engine-consistency') ?? ''
}

/** The number of persons of this name by each way to read. */
export async function found({ deps }: Replicated, name: string, headers: Headers = {}) {
  const query = [{ field: 'name', operator: 'eq', value: name }]
  const asked = { method: 'POST', path, params, headers, as: 'ADMIN' }
  const grouped = { query, groupBy: { aggregate: [{ function: 'COUNT', alias: 'n' }] } }
  const [page, listed, counted, group, file] = await Promise.all([
    call(deps, search, { ...asked, body: { query } }),
    call(deps, GET, { ...asked, method: 'GET', path: `${path}?filter=name:eq:${name}` }),
    call(deps, count, { ...asked, body: { query } }),
    call(deps, search, { ...asked, body: grouped }),
    call(deps, exportRecords, { ...asked, path: `${path}/export?format=json`, body: { query } }),
  ])
  return [
    page.body.pagination.total,
    page.body.data.length,
    listed.body.pagination.total,
    counted.body.data[0].count,
    group.body.data[0].n,
    JSON.parse(file.text).length,
  ]
}
export const all = (n: number) => Array(6).fill(n)

export const stateOf = async ({ deps }: Replicated) =>
  (await call(deps, readReadiness, { path: '/api/health/ready' })).body.data[0].replicas[0]

/** Resolves when the next reads use the replica. */
export const untilFresh = (on: Replicated) =>
  expect
    .poll(async () => {
      const before = await on.reads()
      await found(on, 'absent')
      return (await on.reads()).replica - before.replica
    })
    .toBe(5)
