import { Client } from '../client'
import type { Outcome } from '../failure'
import { colorsOf, type Io } from '../io'
import { pluginIdOf } from '../plugin-folder'
import { asJson, counted, toned } from '../report'

type Drift = {
  entity: string
  key: unknown
  change: 'added' | 'edited' | 'deleted'
  /** Of an edited record. */
  fields?: { field: string; base: unknown; ours: unknown }[]
}

/** Shows what changed since the plugin was installed, record by record. */
export async function readDrift(
  io: Io,
  plugin: string,
  { exitCode }: { exitCode?: boolean },
): Promise<Outcome> {
  const id = await pluginIdOf(plugin, io.cwd)
  const found = await new Client(io).all<Drift>(`/api/plugins/${encodeURIComponent(id)}/drift`)
  const colors = colorsOf(io)
  const lines = found.flatMap(({ entity, key, change, fields = [] }) => [
    `${toned(colors, change)}  ${entity} ${JSON.stringify(key)}`,
    ...fields.map(({ field, base, ours }) => `    ${field}: ${asJson(base)} → ${asJson(ours)}`),
  ])
  const sum =
    found.length > 0 ? `${counted(found.length, 'record')} changed` : 'Nothing has changed'
  return { lines: [...lines, sum], json: found, failed: Boolean(exitCode) && found.length > 0 }
}
