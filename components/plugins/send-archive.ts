import { api } from '@/lib/http/client'
import { upload } from '@/lib/http/upload'
import { formatBytes } from '@/lib/values/format-bytes'
import { decisionsOf, type Resolution } from './conflicts/resolution'
import type { FileLog, InstallMode, InstallPreview, PlannedRecord } from './searches'

/** A version of the index: the server loads its archive. */
export type Offer = { id: string; name: string; version: string; sha256: string }

/** An archive with what is chosen about its install. */
export type Archive = {
  /** Null for a version of the index, and for an install that was running before the page was loaded. */
  file: File | null
  offer?: Offer
  mode: InstallMode
  /** What was chosen about conflicts when the plan was made. */
  planned: Resolution
  /** What happens to records that the plugin gave before and gives no longer; kept when left out. */
  removed?: 'keep' | 'delete'
  /** What happens to records that were deleted here; they stay so when left out. */
  deleted?: 'keep' | 'restore'
  /** Another key than that of the installed version is accepted. */
  acceptKey?: boolean
}

type SendOptions = {
  headers?: Record<string, string>
  onProgress?: (sent: number) => void
  signal: AbortSignal
}

/** Sends an archive to be installed, or whatever `query` asks for instead. */
export async function sendArchive<T>(
  archive: Archive,
  query: string,
  options: SendOptions,
): Promise<T> {
  const { file, offer, planned } = archive
  const asked = `${chosenIn(archive)}${query}`
  const decisions = decisionsOf(planned)
  if (offer) return sendOffer<T>(offer, decisions, asked, options)
  const form = new FormData()
  if (decisions) form.append('decisions', JSON.stringify(decisions))
  form.append('file', file as File)
  const { body } = await upload<T>({ path: `/api/plugins/install/zip?${asked}`, form, ...options })
  return body
}

async function sendOffer<T>(
  { id, version, sha256 }: Offer,
  decisions: unknown,
  asked: string,
  { headers, signal }: SendOptions,
): Promise<T> {
  const body = { id, version, sha256, ...(decisions ? { decisions } : {}) }
  const path = `/api/plugins/install/index?${asked}`
  // Responses of installs have no envelope.
  return (await api(path, { method: 'POST', body, headers, signal })) as unknown as T
}

function chosenIn({ mode, planned, removed, deleted, acceptKey }: Archive): string {
  const { otherwise } = planned
  const chosen = [
    otherwise && `&onConflict=${otherwise}`,
    removed && `&removed=${removed}`,
    deleted && `&deleted=${deleted}`,
    acceptKey && '&acceptKey=true',
  ]
  return `mode=${mode}${chosen.filter(Boolean).join('')}`
}

type Part = { path: string; page: number; size: number }
type PlanPage<T> = { data: { plan: InstallPreview } & T; pagination: { total: number } }

const detailQuery = (detail: string, { path, page, size }: Part) =>
  `&dryRun=true&detail=${detail}&file=${encodeURIComponent(path)}&page=${page}&size=${size}`

/** A page of what the plan does to the records of one data file. */
export async function plannedRecords(archive: Archive, part: Part, signal: AbortSignal) {
  const { data, pagination } = await sendArchive<PlanPage<{ records: PlannedRecord[] }>>(
    archive,
    detailQuery('records', part),
    { signal },
  )
  return { records: data.records, total: pagination.total, seal: data.plan.seal }
}

/** A page of the conflicts of one data file. */
export async function planConflicts(archive: Archive, part: Part, signal: AbortSignal) {
  const { data } = await sendArchive<PlanPage<{ conflicts: FileLog['conflicts'] }>>(
    archive,
    detailQuery('conflicts', part),
    { signal },
  )
  return { conflicts: data.conflicts, seal: data.plan.seal }
}

/** How the bytes of a ZIP begin: with a file, or, without any, with its end. */
const BEGINNINGS = ['PK\u0003\u0004', 'PK\u0005\u0006']

/** Why a file can't be a plugin archive, found without sending it; null where it may be one. */
export async function archiveRefusal(file: Blob, maxBytes: number): Promise<string | null> {
  if (file.size > maxBytes)
    return `${formatBytes(file.size)} is more than the server accepts (${formatBytes(maxBytes)}). Split the data files over several plugins, or ask for a higher MAX_ZIP_BYTES.`
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  if (BEGINNINGS.includes(String.fromCharCode(...start))) return null
  return 'This is not a ZIP archive. Choose the ZIP of a plugin, with engineplugin.json in it.'
}
