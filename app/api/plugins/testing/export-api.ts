import JSZip from 'jszip'
import { GET as EXPORT_LAYER } from '@/app/api/model/layers/[plugin]/export/route'
import type { Deps } from '@/lib/deps'
import type { Handler } from '@/lib/http/route'
import { testRequest } from '@/lib/testing/request'
import { GET as EXPORT, POST as EXPORT_EDITED } from '../[id]/export/route'
import { POST as EXPORT_ENTITIES } from '../export/route'

type Caller = { as?: string; scopes?: string[] }

/** Path → text, in the order of the archive; of an error response none. */
export type Exported = {
  status: number
  bytes: Uint8Array
  files: Record<string, string>
  error?: string
  validations?: { field: string; error: string }[]
  headers: Headers
}

/** `GET /api/plugins/:id/export` */
export const exportPlugin = (deps: Deps, id: string, query = '', caller: Caller = {}) =>
  send(deps, EXPORT, { path: `/api/plugins/${id}/export${query}`, ...caller }, { id })

/** `POST /api/plugins/:id/export` */
export const exportEdited = (deps: Deps, id: string, edits: object[], caller: Caller = {}) => {
  const path = `/api/plugins/${id}/export`
  return send(deps, EXPORT_EDITED, { path, method: 'POST', body: { edits }, ...caller }, { id })
}

/** `POST /api/plugins/export` */
export const exportEntities = (deps: Deps, body: object, caller: Caller = {}) =>
  send(deps, EXPORT_ENTITIES, { path: '/api/plugins/export', method: 'POST', body, ...caller }, {})

/** `GET /api/model/layers/:plugin/export` */
export const exportLayer = (deps: Deps, plugin: string) =>
  send(deps, EXPORT_LAYER, { path: `/api/model/layers/${plugin}/export` }, { plugin })

type Sent = Parameters<typeof testRequest>[1]

async function send(deps: Deps, handler: Handler, sent: Sent, params: object): Promise<Exported> {
  const request = await testRequest(deps, { as: 'ADMIN', ...sent })
  const response = await handler(request, { params: Promise.resolve(params) })
  const { status, headers } = response
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (status !== 200) {
    const { error, validations } = JSON.parse(Buffer.from(bytes).toString())
    return { status, bytes, headers, files: {}, error, validations }
  }
  return { status, bytes, headers, files: await filesIn(bytes) }
}

async function filesIn(bytes: Uint8Array): Promise<Record<string, string>> {
  const zip = await JSZip.loadAsync(bytes, { checkCRC32: true })
  const files: Record<string, string> = {}
  for (const file of Object.values(zip.files)) files[file.name] = await file.async('string')
  return files
}
