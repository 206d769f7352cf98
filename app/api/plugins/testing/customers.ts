import { sql } from 'drizzle-orm'
import { rows } from '@/lib/db/sql'
import { archiveOf, uploadOf } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { GET as GET_LOGS } from '../history/[id]/logs/route'
import { GET as GET_HISTORY } from '../history/[id]/route'
import { POST } from '../install/zip/route'

export const deps = freshDeps()

export const PATH = '/api/plugins/install/zip'
export type Files = Record<string, unknown>

/** Installs an archive of `files` and reads its log. */
export async function install(
  files: Files | Uint8Array,
  query = '',
  headers: Record<string, string> = {},
) {
  const archive = files instanceof Uint8Array ? files : await archiveOf(files)
  const response = await call(deps, POST, {
    method: 'POST',
    path: PATH + query,
    body: uploadOf(archive),
    as: 'ADMIN',
    headers,
  })
  const id = response.body?.data?.history
  return { ...response, logs: id ? await logsOf(id) : [] }
}

export async function logsOf(id: number) {
  const response = await call(deps, GET_LOGS, {
    path: `/api/plugins/history/${id}/logs?size=1000`,
    as: 'ADMIN',
    params: { id: String(id) },
  })
  return response.body.data as {
    path: string
    status: string
    error: string | null
    details: { index?: number; key?: unknown; message: string; line?: number; pointer?: string }[]
    records: object
  }[]
}

export async function historyOf(id: number) {
  return (
    await call(deps, GET_HISTORY, {
      path: `/api/plugins/history/${id}`,
      as: 'ADMIN',
      params: { id: String(id) },
    })
  ).body.data[0]
}

export const verdicts = (logs: Awaited<ReturnType<typeof logsOf>>) =>
  Object.fromEntries(logs.map(({ path, status, error }) => [path, error ?? status]))

/** The table's rows as JSON: drivers read `bigint` each in its own way. */
export async function records(entity: string): Promise<Record<string, unknown>[]> {
  const table = sql`entities.${sql.identifier(entity)}`
  const found = await rows<{ row: Record<string, unknown> }>(
    deps.db,
    sql`with t as materialized (select * from ${table} order by 1) select row_to_json(t) as row from t`,
  )
  return found.map(({ row }) => row)
}

export const CUSTOMER = {
  EngineEntities: {
    files: {
      'Customer.json': {
        name: 'Customer',
        pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }],
      },
    },
  },
  EngineSchemas: {
    files: {
      'Customer.json': {
        name: 'Customer',
        properties: [
          { name: 'code', type: 'string' },
          { name: 'name', type: 'string', meta: { required: true, maxLength: 20 } },
          { name: 'age', type: 'integer' },
        ],
      },
    },
  },
}
export const customers = (...list: object[]) => ({ Customer: { files: { 'data.json': list } } })
export const ANN = { code: 'a', name: 'Ann', age: 30 }
export const BEN = { code: 'b', name: 'Ben', age: 40 }
