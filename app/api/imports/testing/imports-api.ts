import { POST as PREVIEW } from '@/app/api/entities/[entityName]/import/preview/route'
import { POST as IMPORT } from '@/app/api/entities/[entityName]/import/route'
import { auditLog } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import { POST as CANCEL } from '../[id]/cancel/route'
import { GET as REFUSED } from '../[id]/refused/route'
import { DELETE, GET as READ } from '../[id]/route'
import { GET as LIST } from '../route'

const PROPERTIES = [
  { name: 'name', type: 'string', label: 'Full name', meta: { required: true } },
  { name: 'email', type: 'string', meta: { unique: true, format: 'email' } },
  { name: 'size', type: 'decimal' },
  { name: 'rank', type: 'integer', meta: { min: 0 } },
  { name: 'kind', type: 'string', meta: { enum: ['big', 'small'], default: 'small' } },
  { name: 'open', type: 'boolean' },
  { name: 'since', type: 'date' },
  { name: 'seen', type: 'datetime' },
  { name: 'tags', type: 'json' },
]

/** An entity with most types of fields, a generated key and another unique field. */
export const installPeople = (deps: Deps, records: readonly object[] = []) =>
  installTestEntity(
    deps,
    {
      entity: { name: 'Person', auditable: true },
      schema: { additionalProperties: false, properties: PROPERTIES },
    },
    records,
  )

type File = string | Uint8Array
type Sent = {
  query?: string
  fileName?: string
  mapping?: object
  /** Further fields of the form. */
  fields?: Record<string, string | Blob>
  headers?: Record<string, string>
  entityName?: string
}

/** The import routes, called by one user. */
export async function importsOfUser(
  deps: Deps,
  roles = ['EDITOR'],
  scopes: string[] | null = null,
) {
  return importsByKey(deps, await testKey(deps, roles, scopes))
}

/** The same, called by a key. */
export function importsByKey(deps: Deps, key: string) {
  const headers = { authorization: `Bearer ${key}` }
  const at = (id: string, rest = '') => ({
    ...{ path: `/api/imports/${id}${rest}`, params: { id }, headers },
  })
  const sender =
    (to: typeof IMPORT, rest: string) =>
    (file: File, sent: Sent = {}) => {
      const { query = '', fileName = 'people.csv', mapping, entityName = 'Person' } = sent
      const body = new FormData()
      for (const [name, value] of Object.entries(sent.fields ?? {}))
        typeof value === 'string' ? body.set(name, value) : body.set(name, value)
      if (mapping) body.set('mapping', JSON.stringify(mapping))
      body.set('file', new File([file as BlobPart], fileName))
      return call(deps, to, {
        ...{ method: 'POST', path: `/api/entities/${entityName}/import${rest}?${query}`, body },
        ...{ headers: { ...headers, ...sent.headers }, params: { entityName } },
      })
    }
  const send = sender(IMPORT, '')
  return {
    headers,
    send,
    preview: sender(PREVIEW, '/preview'),
    /** The import that a file became, whatever became of it. */
    result: async (file: File, sent?: Sent) => {
      const { body } = await send(file, sent)
      const found = body.data?.[0] ?? body.meta.import
      if (!found) throw new Error(body.error)
      return found
    },
    list: async () => (await call(deps, LIST, { path: '/api/imports', headers })).body.data,
    get: (id: string) => call(deps, READ, at(id)),
    cancel: (id: string) => call(deps, CANCEL, { method: 'POST', ...at(id, '/cancel') }),
    remove: (id: string) => call(deps, DELETE, { method: 'DELETE', ...at(id) }),
    refused: (id: string) => call(deps, REFUSED, at(id, '/refused')),
  }
}

/** The audited actions about imports, in order. */
export async function auditedIn({ db }: Deps): Promise<string[]> {
  const found = await db.select({ action: auditLog.action }).from(auditLog).orderBy(auditLog.id)
  return found.map(({ action }) => action).filter((action) => action.includes('import'))
}
