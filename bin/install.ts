import { resolve } from 'node:path'
import type { InstallPreview, PlannedRecord } from '@/lib/installs/plan-contract'
import type { Client } from './client'
import { readDecisions } from './decisions'
import { Failure } from './failure'
import { colorsOf, type Io } from './io'
import { type PluginSource, readSource } from './plugin-folder'
import { counted, fileLines, type ReportedFile, recordLines } from './report'

/** `decisions`: the path of a file. */
export type InstallOptions = {
  mode?: string
  onConflict?: string
  removed?: string
  deleted?: string
  decisions?: string
}
type Query = Omit<InstallOptions, 'decisions'> & {
  dryRun?: 'true'
  seal?: string
  detail?: string
  file?: string
  size?: string
}

const INSTALL = '/api/plugins/install/zip'

/** Sends the plugin at a path to be installed, or planned. */
async function send(
  client: Client,
  { archive, fileName }: PluginSource,
  query: Query,
  decisions?: string,
): Promise<Record<string, unknown>> {
  const form = new FormData()
  if (decisions !== undefined) form.set('decisions', decisions)
  form.set('file', new File([archive as Uint8Array<ArrayBuffer>], fileName))
  return client.json(INSTALL, { method: 'POST', query, body: form })
}

/** What one data file would do to its records: the first of them, and their number. */
export type RecordsOf = { path: string; records: PlannedRecord[]; total: number }
export type Plan = InstallPreview & { records?: RecordsOf[] }

const MOST_RECORDS = '1000'

/** The plan of an install; with `records`, each file that changes some is planned once more. */
export async function planOf(
  client: Client,
  io: Io,
  path: string,
  { mode, onConflict, removed, deleted, decisions: file }: InstallOptions,
  { records = false } = {},
): Promise<Plan> {
  const source = await readSource(resolve(io.cwd, path))
  const decisions = await readDecisions(io, file)
  const query = { dryRun: 'true', mode, onConflict, removed, deleted } as const
  const response = await send(client, source, query, decisions)
  const { data } = response as { data?: { plan?: InstallPreview } }
  const plan = data?.plan
  if (!Array.isArray(plan?.files)) throw client.notEngine(INSTALL, 'its response is no plan')
  if (!records) return plan
  const changing = plan.files.filter(
    ({ kind, status }) => kind === 'data' && (status === 'created' || status === 'updated'),
  )
  const found: RecordsOf[] = []
  for (const { path: dataFile } of changing) {
    const asked = { ...query, detail: 'records', file: dataFile, size: MOST_RECORDS }
    const page = (await send(client, source, asked, decisions)) as RecordsPage
    found.push({ path: dataFile, records: page.data.records, total: page.pagination.total })
  }
  return { ...plan, records: found }
}

type RecordsPage = { data: { records: PlannedRecord[] }; pagination: { total: number } }
type Installed = { history: number; totalFiles: number; failedCount: number }

/** Installs, and reads what happened to each file. */
export async function installed(
  client: Client,
  io: Io,
  path: string,
  { mode, onConflict, removed, deleted, decisions: file, seal }: InstallOptions & { seal?: string },
) {
  const source = await readSource(resolve(io.cwd, path))
  const decisions = await readDecisions(io, file)
  const query = { mode, onConflict, removed, deleted, seal }
  const response = await send(client, source, query, decisions).catch(nothingInstalled)
  if (typeof asObject(response.data)?.history !== 'number')
    throw client.notEngine(INSTALL, 'its response is no install')
  return logged(client, response.data as Installed)
}

/** An atomic install that failed is an error of the server, with the result of an install. */
function nothingInstalled(error: unknown): { data?: unknown } {
  const isResult = error instanceof Failure && asObject(error.data)?.history !== undefined
  if (!isResult) throw error
  return error
}

const asObject = (value: unknown) => value as Partial<Installed> | null | undefined

/** An install with the reports of its files. */
export async function logged<T extends { history: number }>(client: Client, result: T) {
  const path = `/api/plugins/history/${result.history}/logs`
  return { ...result, files: await client.all<ReportedFile>(path) }
}

/** Every file but those without an effect, which are counted. */
export function filesLines(io: Io, files: readonly ReportedFile[]): string[] {
  const colors = colorsOf(io)
  const isQuiet = ({ status, warnings = [], conflictCount = 0, removed, deleted }: ReportedFile) =>
    (status === 'unchanged' || status === 'ignored') &&
    warnings.length + conflictCount + (removed?.total ?? 0) + (deleted?.kept ?? 0) === 0
  const quiet = files.filter(isQuiet).length
  return [
    ...files.filter((file) => !isQuiet(file)).flatMap((file) => fileLines(file, colors)),
    ...(quiet > 0 ? [colors.dim(`${counted(quiet, 'file')} unchanged or ignored`)] : []),
  ]
}

export function planLines(io: Io, plan: Plan): string[] {
  const { pluginId, version, installedVersion, totalFiles, failedCount, seal } = plan
  const from = installedVersion ? ` (installed: ${installedVersion})` : ''
  return [
    `Plan of ${pluginId} ${version ?? ''}${from}`,
    ...signatureLines(plan),
    ...changesLines(plan),
    ...filesLines(io, plan.files),
    ...(plan.records ?? []).flatMap((file) => recordLines(file, colorsOf(io))),
    `${totalFiles - failedCount} of ${totalFiles} files would be installed`,
    colorsOf(io).dim(`seal: ${seal}`),
  ]
}

/** What is new in it, where its author says so: indented, so that no line of it looks like one of the plan. */
const changesLines = ({ version, changes }: Plan): string[] =>
  changes === undefined
    ? []
    : [
        `What is new${version ? ` in ${version}` : ''}:`,
        ...changes.split(/\r?\n/).map((line) => `  ${printable(line)}`),
      ]

/** Without what a terminal takes for a command. */
const printable = (line: string) => line.replace(/\p{Cc}/gu, ' ')

/** Who signed it, where there is something to say. */
function signatureLines({ signature }: Plan): string[] {
  if (signature?.warning) return [`warning: ${signature.warning}`]
  return signature?.publisher ? [`signed by ${signature.publisher}, key ${signature.keyId}`] : []
}
