import fc from 'fast-check'
import type { Deps } from '@/lib/deps'
import { call } from '@/lib/testing/request'
import * as record from '../../entities/[entityName]/[id]/route'
import * as records from '../../entities/[entityName]/route'

/** What happens to the stored records of an entity: one is changed, deleted or created. */
export type ApiEdit = {
  entity: string
  at: number
  kind: 'change' | 'delete' | 'create'
  fields: object
}

export const randomApiEdits = (
  entities: readonly string[],
  fields: readonly string[],
  value: fc.Arbitrary<unknown>,
): fc.Arbitrary<ApiEdit[]> =>
  fc.array(
    fc.record({
      entity: fc.constantFrom(...entities),
      at: fc.nat(3),
      kind: fc.constantFrom<ApiEdit['kind']>('change', 'delete', 'create'),
      fields: fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 3 }),
    }),
    { maxLength: 6 },
  )

/** Through the API; an edit that the definitions refuse changes nothing. Returns the status. */
export async function editByApi(
  deps: Deps,
  { entity, at, kind, fields }: ApiEdit,
): Promise<number | null> {
  const params = { entityName: entity }
  const path = `/api/entities/${entity}`
  if (kind === 'create') {
    const made = { method: 'POST', path, body: fields, as: 'ADMIN', params }
    return (await call(deps, records.POST, made)).status
  }
  const { status, body } = await call(deps, records.GET, { path, as: 'ADMIN', params })
  if (status !== 200) return status
  const id: string | undefined = body.data[at % Math.max(1, body.data.length)]?.persistenceId
  if (id === undefined) return null
  const one = { path: `${path}/${id}`, as: 'ADMIN', params: { ...params, id: String(id) } }
  if (kind === 'delete')
    return (await call(deps, record.DELETE, { method: 'DELETE', ...one })).status
  return (await call(deps, record.PATCH, { method: 'PATCH', body: fields, ...one })).status
}
