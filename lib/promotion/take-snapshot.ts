import { type EngineClient, notEngine } from './engine-client'
import { readSettings, SETTINGS_FILES, settingsText } from './settings-files'
import { requireSafe, unzip } from './unzip'

/** By their paths in the folder of a snapshot. */
export type Files = ReadonlyMap<string, Uint8Array>

/** What a snapshot has of records: those of these entities, of all, or none. */
export type Scope = { records: 'all' | 'none'; entities: string[] | null }

/** It is in each snapshot, and says that its folder is one. */
export const HEAD = 'engine.json'
export const FORMAT = 1

/** The folder of a plugin in a snapshot. */
export const pluginFolder = (id: string) => `plugins/${id}`

/** The state of a server as files, which are the same as long as it is. */
export async function takeSnapshot(client: EngineClient, scope: Scope): Promise<Files> {
  const files = new Map<string, Uint8Array>()
  const put = (path: string, text: string) => files.set(path, Buffer.from(text))
  put(HEAD, `${JSON.stringify({ snapshot: FORMAT, ...scope }, null, 2)}\n`)
  for (const file of SETTINGS_FILES) put(file.name, settingsText(await readSettings(client, file)))
  const plugins = await client.all<{ id: string }>('/api/plugins')
  for (const { id } of plugins.sort((one, other) => (one.id < other.id ? -1 : 1)))
    for (const [path, bytes] of await exported(client, id, scope))
      files.set(`${pluginFolder(id)}/${path}`, bytes)
  return files
}

async function exported(client: EngineClient, id: string, { records, entities }: Scope) {
  if (typeof id !== 'string') throw notEngine('a plugin of it has no id')
  requireSafe(id)
  const path = `/api/plugins/${encodeURIComponent(id)}/export`
  const { bytes } = await client.bytes(path, { query: { records } })
  const files = await unzip(bytes)
  return entities === null ? files : withRecordsOf(entities, files)
}

/** Without the data files of other entities. */
function withRecordsOf(entities: readonly string[], files: Map<string, Uint8Array>) {
  for (const [path, bytes] of [...files]) {
    const [folder, name] = path.split('/')
    if (name !== '__manifest__.json') continue
    const target = targetOf(bytes)
    if (target.startsWith('Engine') || entities.includes(target)) continue
    for (const other of [...files.keys()]) if (other.startsWith(`${folder}/`)) files.delete(other)
  }
  return files
}

function targetOf(manifest: Uint8Array): string {
  try {
    return String(JSON.parse(Buffer.from(manifest).toString()).target)
  } catch {
    throw notEngine('a manifest of it is not valid JSON')
  }
}
