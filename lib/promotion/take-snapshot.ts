import { type EngineClient, notEngine } from './engine-client'
import { type MatchingKeys, onlyMatching } from './matching-records'
import { readSettings, settingsText } from './settings-files'
import { SETTINGS_FILES } from './settings-kinds'
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
  files.set(HEAD, Buffer.from(`${JSON.stringify({ snapshot: FORMAT, ...scope }, null, 2)}\n`))
  for (const [path, bytes] of await settingsOf(client)) files.set(path, bytes)
  for (const { id } of await pluginsOf(client))
    for (const [path, bytes] of await exportedPlugin(client, id, scope)) files.set(path, bytes)
  return files
}

/** What was made beside plugins, as files. */
export async function settingsOf(client: EngineClient): Promise<Files> {
  const files = new Map<string, Uint8Array>()
  for (const file of SETTINGS_FILES)
    files.set(file.name, Buffer.from(settingsText(await readSettings(client, file))))
  return files
}

type Plugin = { id: string; name: string; version: string | null }

/** The plugins of a server, by their ids. */
export async function pluginsOf(client: EngineClient): Promise<Plugin[]> {
  const plugins = await client.all<Plugin>('/api/plugins')
  return plugins.sort((one, other) => (one.id < other.id ? -1 : 1))
}

/** The files of a plugin, by their paths in a snapshot. */
export async function exportedPlugin(
  client: EngineClient,
  id: string,
  { records, entities, matching, maxBytes }: Scope & Limits,
): Promise<Files> {
  if (typeof id !== 'string') throw notEngine('a plugin of it has no id')
  requireSafe(id)
  const path = `/api/plugins/${encodeURIComponent(id)}/export`
  const { bytes } = await client.bytes(path, { query: { records } })
  const files = await unzip(bytes, maxBytes)
  const kept = entities === null ? files : withRecordsOf(entities, files)
  if (matching) leaveOut(kept, matching)
  return new Map([...kept].map(([name, content]) => [`${pluginFolder(id)}/${name}`, content]))
}

type Limits = { maxBytes?: number; matching?: MatchingKeys }

/** Records that don't match leave the files; those of entities without conditions stay. */
function leaveOut(files: Map<string, Uint8Array>, matching: MatchingKeys): void {
  for (const [path, bytes] of [...files]) {
    const [folder, name] = path.split('/')
    if (name !== '__manifest__.json') continue
    const wanted = matching.get(targetOf(bytes))
    if (!wanted) continue
    for (const [other, content] of [...files])
      if (other.startsWith(`${folder}/data`)) files.set(other, onlyMatching(content, wanted))
  }
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
