import { count, eq, sql } from 'drizzle-orm'
import { POST as CREATE } from '@/app/api/entities/[entityName]/exports/route'
import { apiKeys, auditLog, backgroundExports, exportParts } from '@/lib/db/schema'
import { one } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { startExports } from '@/lib/export/start-exports'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import { POST as CANCEL } from '../[id]/cancel/route'
import { GET as DOWNLOAD } from '../[id]/file/route'
import { DELETE, GET as READ } from '../[id]/route'
import { GET as LIST } from '../route'

const PROPERTIES = [
  { name: 'title', type: 'string' },
  { name: 'size', type: 'decimal' },
]
const RECORDS = [
  { title: 'one', size: '9007199254740993' },
  { title: 'two,\n"quoted"', size: '9007199254740992' },
  { title: 'three', size: '1.5' },
]

export const installThings = (deps: Deps) =>
  installTestEntity(
    deps,
    { entity: { name: 'Thing' }, schema: { properties: PROPERTIES } },
    RECORDS,
  )

/** The export routes, called by one user. */
export async function exportsOfUser(
  deps: Deps,
  roles = ['VIEWER'],
  scopes: string[] | null = null,
) {
  return exportsByKey(deps, await testKey(deps, roles, scopes))
}

/** The same, called by a key. */
export async function exportsByKey(deps: Deps, key: string) {
  const { ownerId, id: keyId } = one(
    await deps.db
      .select()
      .from(apiKeys)
      .where(eq(apiKeys.prefix, key.slice(0, 12))),
  )
  const headers = { authorization: `Bearer ${key}` }
  const at = (id: string, rest = '') => ({
    ...{ path: `/api/exports/${id}${rest}`, params: { id }, headers },
  })
  const create = (query = 'format=csv', body: object = {}) =>
    call(deps, CREATE, {
      ...{ method: 'POST', path: `/api/entities/Thing/exports?${query}`, body, headers },
      params: { entityName: 'Thing' },
    })
  return {
    ownerId: ownerId as string,
    keyId,
    headers,
    create,
    /** Creates an export and waits until its file is there, or is not going to be. */
    prepare: async (query?: string, body?: object): Promise<string> => {
      const response = await create(query, body)
      await startExports(deps)
      return response.body.data[0].id
    },
    list: () => call(deps, LIST, { path: '/api/exports', headers }),
    read: async (id: string) => (await call(deps, READ, at(id))).body.data[0],
    get: (id: string) => call(deps, READ, at(id)),
    cancel: (id: string) => call(deps, CANCEL, { method: 'POST', ...at(id, '/cancel') }),
    remove: (id: string) => call(deps, DELETE, { method: 'DELETE', ...at(id) }),
    download: (id: string) => call(deps, DOWNLOAD, at(id, '/file')),
  }
}

/** An export that waits and that no process takes up for the time of a test. */
export async function addWaiting(
  { db }: Deps,
  owner: { ownerId: string } | { keyId: string },
): Promise<string> {
  const values = { ...owner, createdBy: 'ann@example.com', entity: 'Thing', format: 'csv' } as const
  const [added] = await db
    .insert(backgroundExports)
    .values({ ...values, body: '{"sort":[]}', expiresAt: sql`now() + interval '7 days'` })
    .returning()
  return added?.id as string
}

export async function partsIn({ db }: Deps): Promise<number> {
  const [found] = await db.select({ parts: count() }).from(exportParts)
  return found?.parts ?? 0
}

/** The audited actions about exports, in order. */
export async function auditedIn({ db }: Deps): Promise<string[]> {
  const found = await db.select({ action: auditLog.action }).from(auditLog).orderBy(auditLog.id)
  return found.map(({ action }) => action).filter((action) => action.startsWith('exports.'))
}
