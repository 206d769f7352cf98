import type { Deps } from '@/lib/deps'
import type { FileReport } from '@/lib/installs/file-report'
import { archiveOf, uploadOf } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import { GET as GET_LOGS } from '../history/[id]/logs/route'
import { GET as GET_HISTORY } from '../history/[id]/route'
import { POST } from '../install/zip/route'

export type Files = Record<string, unknown>

type Options = {
  query?: string
  headers?: Record<string, string>
  as?: string | string[]
  /** Text fields of the form. */
  fields?: Record<string, string>
}

/** Uploads an archive of `files` and returns the response. */
export async function upload(
  deps: Deps,
  files: Files | Uint8Array,
  { query = '', headers = {}, as = 'ADMIN', fields = {} }: Options = {},
) {
  const form = uploadOf(files instanceof Uint8Array ? files : await archiveOf(files))
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return call(deps, POST, {
    method: 'POST',
    path: `/api/plugins/install/zip${query}`,
    body: form,
    as,
    headers,
  })
}

/** Installs an archive and reads its log. */
export async function install(deps: Deps, files: Files | Uint8Array, options: Options = {}) {
  const response = await upload(deps, files, options)
  const id: number | undefined = response.body?.data?.history
  return { ...response, logs: id ? await logsOf(deps, id) : [] }
}

export type Log = Omit<FileReport, 'kind' | 'planned'>

export async function logsOf(deps: Deps, id: number): Promise<Log[]> {
  const { body } = await call(deps, GET_LOGS, {
    path: `/api/plugins/history/${id}/logs?size=1000`,
    as: 'ADMIN',
    params: { id: String(id) },
  })
  return body.data
}

export async function historyOf(deps: Deps, id: number) {
  const { body } = await call(deps, GET_HISTORY, {
    path: `/api/plugins/history/${id}`,
    as: 'ADMIN',
    params: { id: String(id) },
  })
  return body.data[0]
}

/** Path → the file's outcome: the verdict, or its status. */
export const verdicts = (logs: readonly Log[]) =>
  Object.fromEntries(logs.map(({ path, status, error }) => [path, error ?? status]))
